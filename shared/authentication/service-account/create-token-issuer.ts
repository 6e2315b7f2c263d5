import { extendedExpirationSeconds, ServiceAccountTokens, warnOnlyExpirationSeconds } from './service-account-tokens.ts';
import type { ObjectReference } from './claims.ts';
import type { SigningKey } from './signing-keys.ts';

export interface TokenIssuerOptions {
  readonly issuer: string;
  readonly key: SigningKey;
  /** The server's own audiences. */
  readonly audiences: readonly string[];
  /** `--service-account-extend-token-expiration`. */
  readonly extendExpiration: boolean;
}

/** One token as serviceaccounts/token wants it. A reference with an empty uid leaves the uid out of the claims. */
export interface TokenToSign {
  readonly namespace: string;
  readonly serviceAccount: ObjectReference;
  readonly pod?: ObjectReference;
  readonly node?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly audiences: readonly string[];
  readonly lifetimeSeconds: number;
  readonly nowMs: number;
}

export interface TokenSigner {
  readonly audiences: readonly string[];
  issue(token: TokenToSign): Promise<string>;
}

/** The signer behind serviceaccounts/token; tokens that kubelets mount live a year and are noted as stale after an hour. */
export function createTokenIssuer(options: TokenIssuerOptions): TokenSigner {
  const tokens = new ServiceAccountTokens(options.issuer, options.key);
  const own = (audiences: readonly string[]): boolean => audiences.every((audience) => options.audiences.includes(audience));
  return {
    audiences: options.audiences,
    async issue({ lifetimeSeconds, nowMs, serviceAccount, pod, node, secret, namespace, audiences }) {
      const extend = options.extendExpiration && pod !== undefined && lifetimeSeconds === warnOnlyExpirationSeconds && own(audiences);
      const { token } = await tokens.issue({
        namespace, audiences, serviceAccount: reference(serviceAccount),
        ...(pod ? { pod: reference(pod) } : {}), ...(node ? { node: reference(node) } : {}), ...(secret ? { secret: reference(secret) } : {}),
        expirationSeconds: extend ? extendedExpirationSeconds : lifetimeSeconds,
        ...(extend ? { warnAfterSeconds: lifetimeSeconds } : {}),
      }, nowMs);
      return token;
    },
  };
}

function reference({ name, uid }: ObjectReference): ObjectReference {
  return uid ? { name, uid } : { name };
}
