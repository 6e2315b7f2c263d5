/** The reference's internal AuthenticationConfiguration: what files of all versions and the flags `--oidc-*` become. */
export interface AuthenticationConfiguration {
  readonly jwt: readonly JwtAuthenticatorConfiguration[];
  /** Absent where `--anonymous-auth` decides. */
  readonly anonymous?: AnonymousConfiguration;
}

/** Whether requests without a credential are let in, and for which paths. */
export interface AnonymousConfiguration {
  readonly enabled: boolean;
  /** Without any, all paths. */
  readonly conditions: readonly { readonly path: string }[];
}

/** An issuer of JWTs, and what becomes of its claims. Texts are empty where the file has none. */
export interface JwtAuthenticatorConfiguration {
  readonly issuer: Issuer;
  readonly claimValidationRules: readonly ClaimValidationRule[];
  readonly claimMappings: ClaimMappings;
  readonly userValidationRules: readonly UserValidationRule[];
}

export interface Issuer {
  readonly url: string;
  readonly discoveryUrl: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly audiences: readonly string[];
  readonly audienceMatchPolicy: string;
  readonly egressSelectorType: string;
}

export interface ClaimValidationRule {
  readonly claim: string;
  readonly requiredValue: string;
  readonly expression: string;
  readonly message: string;
}

export interface ClaimMappings {
  readonly username: PrefixedClaimOrExpression;
  readonly groups: PrefixedClaimOrExpression;
  readonly uid: ClaimOrExpression;
  readonly extra: readonly { readonly key: string; readonly valueExpression: string }[];
}

export interface ClaimOrExpression {
  readonly claim: string;
  readonly expression: string;
}

export interface PrefixedClaimOrExpression extends ClaimOrExpression {
  readonly prefix: string | undefined;
}

export interface UserValidationRule {
  readonly expression: string;
  readonly message: string;
}
