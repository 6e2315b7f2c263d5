import { hash } from 'node:crypto';
import {
  AuthenticationError,
  type AuthenticationAnswer,
  type RequestAuthenticator,
} from '#shared/authentication/contract/authenticator.ts';
import type { Observations } from '#shared/observability/metrics/histogram.ts';
import { allInSubject, lastInSubject, parseCertificate, type Certificate } from '#shared/x509/certificate.ts';
import { DerError } from '#shared/x509/der.ts';
import { nameTypes } from '#shared/x509/distinguished-name.ts';
import type { CaBundle } from './ca-bundle.ts';
import { certificateSeconds } from './certificate-metrics.ts';
import { verifyClient } from './client-chain.ts';

/** Attribute of the subject that holds the user's uid: 1.3.6.1.4.1.57683.2 (apimachinery/pkg/apis/asn1). */
const uidType = '2b0601040183c25302';
export const credentialIdKey = 'authentication.kubernetes.io/credential-id';
/** How long a refusal is kept: a certificate that is not valid yet may become valid. */
const refusedForMs = 10_000;

/** The result of verifying the certificates of one connection. */
type Verdict<Answer> = { readonly answer: Answer } | { readonly error: AuthenticationError };

interface Judged<Answer> {
  readonly generation: number;
  /** The verdict is of this time. It does not hold before, where the clock was set back. */
  readonly atMs: number;
  readonly untilMs: number;
  /** When the client's own certificate expires; undefined if it cannot be read. */
  readonly notAfterMs: number | undefined;
  readonly verdict: Verdict<Answer>;
}

/**
 * Verifies the certificates of each connection once: the verdict holds until the first certificate of the chain
 * expires, the authorities change or the clock is set back. Requests that arrive during a verification share it.
 */
export class ConnectionCertificates<Answer> {
  readonly #bundle: CaBundle;
  readonly #read: (certificate: Certificate) => Answer;
  readonly #seconds: Observations | undefined;
  readonly #judged = new WeakMap<readonly Buffer[], Judged<Answer>>();
  readonly #judging = new WeakMap<readonly Buffer[], Promise<Judged<Answer>>>();

  /**
   * @param read turns a verified certificate into the answer; may throw AuthenticationError
   * @param seconds observes for each request how long its certificate is still good
   */
  constructor(bundle: CaBundle, read: (certificate: Certificate) => Answer, seconds?: Observations) {
    this.#bundle = bundle;
    this.#read = read;
    this.#seconds = seconds;
  }

  /** `sent` must be the same array for all requests of a connection. @throws AuthenticationError, or rejects with it */
  judge(sent: readonly Buffer[]): Answer | Promise<Answer> {
    const known = this.#judged.get(sent);
    const nowMs = Date.now();
    if (known?.generation === this.#bundle.generation && known.atMs <= nowMs && nowMs <= known.untilMs)
      return this.#answer(known, nowMs);
    let judging = this.#judging.get(sent);
    if (!judging) {
      judging = this.#judge(sent).finally(() => this.#judging.delete(sent));
      this.#judging.set(sent, judging);
    }
    return judging.then((judged) => this.#answer(judged, nowMs));
  }

  #answer({ notAfterMs, verdict }: Judged<Answer>, nowMs: number): Answer {
    if (notAfterMs !== undefined) this.#seconds?.observe((notAfterMs - nowMs) / 1000);
    if ('error' in verdict) throw verdict.error;
    return verdict.answer;
  }

  async #judge(sent: readonly Buffer[]): Promise<Judged<Answer>> {
    const { generation, pool } = this.#bundle;
    const nowMs = Date.now();
    let verdict: Verdict<Answer>;
    let untilMs = nowMs + refusedForMs;
    try {
      const client = await verifyClient(sent, pool, nowMs);
      verdict = { answer: this.#read(client.certificate) };
      untilMs = client.untilMs;
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      verdict = { error };
    }
    const judged = { generation, atMs: nowMs, untilMs, notAfterMs: expiryOf(sent), verdict };
    this.#judged.set(sent, judged);
    return judged;
  }
}

function expiryOf([own]: readonly Buffer[]): number | undefined {
  try {
    return own && parseCertificate(own).notAfterMs;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** Client certificates: the common name is the user, the organizations are the groups. */
export class X509Authenticator implements RequestAuthenticator {
  readonly #certificates: ConnectionCertificates<AuthenticationAnswer>;

  /** `readsUids`: whether the uid is read from an attribute of the subject. */
  constructor(bundle: CaBundle, readsUids = true) {
    this.#certificates = new ConnectionCertificates(
      bundle,
      (certificate) => userOf(certificate, readsUids),
      certificateSeconds,
    );
  }

  authenticate(exchange: {
    peerCertificates(): readonly Buffer[] | undefined;
  }): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const sent = exchange.peerCertificates();
    return sent && this.#certificates.judge(sent);
  }
}

function userOf(certificate: Certificate, readsUids: boolean): AuthenticationAnswer {
  const name = lastInSubject(certificate, nameTypes.commonName);
  if (name === '') return undefined;
  const uids = readsUids ? allInSubject(certificate, uidType) : [];
  if (uids.length > 1) throw new AuthenticationError(`expected 1 UID, but found multiple: [${uids.join(' ')}]`);
  if (uids[0] === '') throw new AuthenticationError('UID cannot be an empty string');
  const fingerprint = hash('sha256', certificate.der, 'hex');
  return {
    user: {
      name,
      uid: uids[0] ?? '',
      groups: allInSubject(certificate, nameTypes.organization),
      extra: { [credentialIdKey]: [`X509SHA256=${fingerprint}`] },
    },
  };
}
