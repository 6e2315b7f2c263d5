/** A named object as tokens mention it. */
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

export interface BoundTokenClaims {
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly iss?: string;
  readonly jti?: string;
  readonly 'kubernetes.io'?: KubernetesClaims;
  readonly nbf?: number;
  readonly sub?: string;
}

/** Claims of the tokens in secrets of type kubernetes.io/service-account-token (pkg/serviceaccount/legacy.go). */
export interface LegacyTokenClaims {
  readonly iss?: string;
  readonly sub?: string;
  readonly 'kubernetes.io/serviceaccount/namespace'?: string;
  readonly 'kubernetes.io/serviceaccount/secret.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.uid'?: string;
}

export const legacyIssuer = 'kubernetes/serviceaccount';

export function serviceAccountUsername(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}
