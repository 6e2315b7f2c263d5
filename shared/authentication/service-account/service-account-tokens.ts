import { randomUUID } from 'node:crypto';
import {
  serviceAccountUsername,
  legacyIssuer,
  type BoundTokenClaims,
  type KubernetesClaims,
  type ObjectReference,
} from './claims.ts';
import type { SigningKey } from './signing-keys.ts';

/** The request for a token. */
export interface TokenOrder {
  readonly namespace: string;
  readonly serviceAccount: ObjectReference;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The object whose deletion invalidates the token; for a pod its node is named as well. */
  readonly pod?: ObjectReference;
  readonly node?: ObjectReference;
  readonly secret?: ObjectReference;
  /** Seconds after which a use of the token is reported as stale (extended tokens of pods). */
  readonly warnAfterSeconds?: number;
}

export interface IssuedToken {
  readonly token: string;
  readonly claims: BoundTokenClaims;
  /** `JTI=<id>`: the credential id as audit events show it. */
  readonly credentialId: string;
}

/** Tokens of pods are requested for 3607 seconds but live a year, so that old clients are warned before they break. */
export const warnOnlyExpirationSeconds = 60 * 60 + 7;
export const extendedExpirationSeconds = 24 * 365 * 60 * 60;

/** Makes a signed token of claims. */
export interface TokenSigner {
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
}

/** Signs tokens by a key that this server has. */
export function keySigner({ algorithm, keyId, privateKey }: SigningKey): TokenSigner {
  return {
    async sign(claims) {
      const { SignJWT } = await import('jose');
      return await new SignJWT({ ...claims }).setProtectedHeader({ alg: algorithm, kid: keyId }).sign(privateKey);
    },
  };
}

/** Makes service-account tokens. */
export class ServiceAccountTokens {
  readonly issuer: string;
  readonly #signer: TokenSigner;

  constructor(issuer: string, signer: TokenSigner) {
    this.issuer = issuer;
    this.#signer = signer;
  }

  async issue(order: TokenOrder, nowMs: number = Date.now()): Promise<IssuedToken> {
    const now = Math.floor(nowMs / 1000);
    const jti = randomUUID();
    // The reference prints claims sorted by name.
    const claims: BoundTokenClaims = {
      aud: order.audiences,
      exp: now + order.expirationSeconds,
      iat: now,
      iss: this.issuer,
      jti,
      'kubernetes.io': kubernetesClaims(order, now),
      nbf: now,
      sub: serviceAccountUsername(order.namespace, order.serviceAccount.name),
    };
    return { token: await this.#signer.sign({ ...claims }), claims, credentialId: `JTI=${jti}` };
  }

  /** The token for a secret of type kubernetes.io/service-account-token. */
  async issueLegacy(namespace: string, serviceAccount: Required<ObjectReference>, secretName: string): Promise<string> {
    return await this.#signer.sign({
      iss: legacyIssuer,
      'kubernetes.io/serviceaccount/namespace': namespace,
      'kubernetes.io/serviceaccount/secret.name': secretName,
      'kubernetes.io/serviceaccount/service-account.name': serviceAccount.name,
      'kubernetes.io/serviceaccount/service-account.uid': serviceAccount.uid,
      sub: serviceAccountUsername(namespace, serviceAccount.name),
    });
  }
}

function kubernetesClaims(order: TokenOrder, now: number): KubernetesClaims {
  return {
    namespace: order.namespace,
    ...(order.node ? { node: order.node } : {}),
    ...(order.pod ? { pod: order.pod } : {}),
    ...(order.secret ? { secret: order.secret } : {}),
    serviceaccount: order.serviceAccount,
    ...(order.warnAfterSeconds ? { warnafter: now + order.warnAfterSeconds } : {}),
  };
}
