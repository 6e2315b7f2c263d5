import type { AuthenticationConfiguration, PrefixedClaimOrExpression } from './authentication-configuration.ts';

/** The flags `--oidc-*`, but for the signing algorithms. */
export interface OidcFlags {
  readonly oidcClientId: string;
  readonly oidcGroupsClaim: string;
  readonly oidcGroupsPrefix: string;
  readonly oidcIssuerUrl: string;
  readonly oidcRequiredClaim: Readonly<Record<string, string>>;
  readonly oidcUsernameClaim: string;
  readonly oidcUsernamePrefix: string;
}

/**
 * The configuration that the flags stand for (ToAuthenticationConfig in pkg/kubeapiserver/options).
 * @param certificateAuthority contents of `--oidc-ca-file`
 */
export function configurationOfFlags(flags: OidcFlags, certificateAuthority: string): AuthenticationConfiguration {
  if (flags.oidcIssuerUrl === '' || flags.oidcClientId === '') return { jwt: [] };
  const { oidcGroupsClaim: groups, oidcRequiredClaim } = flags;
  return {
    jwt: [
      {
        issuer: {
          url: flags.oidcIssuerUrl,
          discoveryUrl: '',
          certificateAuthority,
          audiences: [flags.oidcClientId],
          audienceMatchPolicy: '',
          egressSelectorType: '',
        },
        claimValidationRules: Object.entries(oidcRequiredClaim).map(([claim, requiredValue]) => ({
          claim,
          requiredValue,
          expression: '',
          message: '',
        })),
        claimMappings: {
          username: claimOf(flags.oidcUsernameClaim, usernamePrefix(flags)),
          groups: groups === '' ? claimOf('', undefined) : claimOf(groups, flags.oidcGroupsPrefix),
          uid: { claim: '', expression: '' },
          extra: [],
        },
        userValidationRules: [],
      },
    ],
  };
}

function claimOf(claim: string, prefix: string | undefined): PrefixedClaimOrExpression {
  return { claim, prefix, expression: '' };
}

/** Names of different issuers must not be the same user; an address of mail says by itself whose it is. */
function usernamePrefix({ oidcUsernamePrefix: prefix, oidcUsernameClaim, oidcIssuerUrl }: OidcFlags): string {
  if (prefix === '-') return '';
  return prefix === '' && oidcUsernameClaim !== 'email' ? `${oidcIssuerUrl}#` : prefix;
}
