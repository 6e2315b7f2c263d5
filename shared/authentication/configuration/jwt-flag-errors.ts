import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { JwtFlags } from './open-configuration.ts';
import { signingAlgorithms } from './signing-algorithms.ts';

/**
 * All errors of the flags, but for those of the files that they name (pkg/kubeapiserver/options).
 * @param given the flags on the command line
 * @param isStructured whether the gate StructuredAuthenticationConfiguration is on
 */
export function jwtFlagErrors(flags: JwtFlags, given: ReadonlySet<string>, isStructured: boolean): string[] {
  const isOidcGiven = [...given].some((key) => /^oidc[A-Z]/.test(key));
  if (flags.authenticationConfig !== '')
    return [
      ...(isStructured
        ? []
        : ['set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file']),
      ...(isOidcGiven ? ['authentication-config file and oidc-* flags are mutually exclusive'] : []),
    ];
  if (!isOidcGiven) return [];
  if (flags.oidcIssuerUrl === '' || flags.oidcClientId === '')
    return ['oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set'];
  return flags.oidcSigningAlgs
    .filter((algorithm) => !signingAlgorithms.includes(algorithm))
    .map((algorithm) => `oidc: unsupported signing alg: ${goQuote(algorithm)}`);
}
