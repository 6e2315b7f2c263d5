/** A reference to an object in the claims of a token. */
export interface ObjectReference {
  readonly name: string;
  readonly uid?: string;
}

/** Claims of a bound token under `kubernetes.io` (pkg/serviceaccount/claims.go). Times in seconds since the epoch. */
export interface KubernetesClaims {
  readonly namespace: string;
  readonly node?: ObjectReference;
  readonly pod?: ObjectReference;
  readonly secret?: ObjectReference;
  readonly serviceaccount: ObjectReference;
  readonly warnafter?: number;
}

/** Claims that every token may have (RFC 7519, 4.1). Times in seconds since the epoch. */
export interface RegisteredClaims {
  readonly aud?: readonly string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly iss?: string;
  readonly jti?: string;
  readonly nbf?: number;
  readonly sub?: string;
}

export interface BoundTokenClaims extends RegisteredClaims {
  readonly 'kubernetes.io': KubernetesClaims;
}

/** Claims of the tokens in secrets of type kubernetes.io/service-account-token (pkg/serviceaccount/legacy.go). */
export interface LegacyTokenClaims extends RegisteredClaims {
  readonly 'kubernetes.io/serviceaccount/namespace'?: string;
  readonly 'kubernetes.io/serviceaccount/secret.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.uid'?: string;
}

export const legacyIssuer = 'kubernetes/serviceaccount';

export function serviceAccountUsername(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}
