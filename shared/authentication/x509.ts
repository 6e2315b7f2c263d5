import type { DetailedPeerCertificate } from 'node:tls';
import { AuthenticationError, type AuthenticationAnswer, type RequestAuthenticator } from './authenticator.ts';
import type { CaBundle } from './ca-bundle.ts';

/** Attribute of the subject that holds the user's uid (apimachinery/pkg/apis/asn1). */
const uidOid = '1.3.6.1.4.1.57683.2';
export const credentialIdKey = 'authentication.kubernetes.io/credential-id';

interface Verdict {
  readonly generation: number;
  readonly notAfterMs: number;
  readonly answer: AuthenticationAnswer;
  readonly error: AuthenticationError | undefined;
}

/**
 * Client certificates: the common name is the user, the organizations are the groups. A connection's certificate is
 * judged once; the verdict holds until the certificate ends or the authorities change.
 */
export class X509Authenticator implements RequestAuthenticator {
  readonly #bundle: CaBundle;
  readonly #verdicts = new WeakMap<DetailedPeerCertificate, Verdict>();

  constructor(bundle: CaBundle) {
    this.#bundle = bundle;
  }

  authenticate(exchange: { peerCertificate(): DetailedPeerCertificate | undefined }): AuthenticationAnswer {
    const peer = exchange.peerCertificate();
    if (peer === undefined) return undefined;
    const now = Date.now();
    this.#bundle.refresh(now);
    let verdict = this.#verdicts.get(peer);
    if (!verdict || verdict.generation !== this.#bundle.generation || verdict.notAfterMs < now) {
      verdict = this.#judge(peer, now);
      this.#verdicts.set(peer, verdict);
    }
    if (verdict.error) throw verdict.error;
    return verdict.answer;
  }

  #judge(peer: DetailedPeerCertificate, nowMs: number): Verdict {
    const notAfterMs = Date.parse(peer.valid_to);
    let answer: AuthenticationAnswer;
    let error: AuthenticationError | undefined;
    try {
      this.#bundle.verify(peer, nowMs);
      answer = userOf(peer);
    } catch (failure) {
      if (!(failure instanceof AuthenticationError)) throw failure;
      error = failure;
    }
    // A refused certificate is looked at again after a while, since the authorities' file may have changed.
    return { generation: this.#bundle.generation, notAfterMs: error ? nowMs + 60_000 : notAfterMs, answer, error };
  }
}

/** Values of a subject attribute; a repeated one comes as a list. */
export function subjectValues(peer: DetailedPeerCertificate, attribute: string): string[] {
  const value = (peer.subject as unknown as Readonly<Record<string, string | string[] | undefined>>)[attribute];
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

function userOf(peer: DetailedPeerCertificate): AuthenticationAnswer {
  const name = subjectValues(peer, 'CN').at(-1) ?? '';
  if (name === '') return undefined;
  const uids = subjectValues(peer, uidOid);
  if (uids.length > 1) throw new AuthenticationError(`expected 1 UID, but found multiple: [${uids.join(' ')}]`);
  const fingerprint = peer.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    user: { name, uid: uids[0] ?? '', groups: subjectValues(peer, 'O'), extra: { [credentialIdKey]: [`X509SHA256=${fingerprint}`] } },
  };
}
