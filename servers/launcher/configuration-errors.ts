import { auditFileErrors } from '#shared/audit/audit-file-errors.ts';
import { authenticationFileErrors } from '#shared/authentication/configuration/open-configuration.ts';
import { authorizationFileErrors } from '#shared/authorization/authorization-file-errors.ts';
import { encryptionFileErrors } from '#shared/encryption/encryption-file-errors.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { tracingFileErrors } from '#shared/tracing/configuration/tracing-configuration.ts';

/**
 * The errors of configuration files that may hold expressions. A bundle of its own: the launcher needs it for few
 * flags only.
 */
export async function fileErrors(options: ServerOptions, given: ReadonlySet<keyof ServerOptions>): Promise<string[]> {
  const { gates } = featureGates(options);
  return [
    ...(await authenticationFileErrors(
      options,
      gates.isEnabled('StructuredAuthenticationConfigurationEgressSelector'),
      given.has('anonymousAuth'),
    )),
    ...(await authorizationFileErrors(options, gates.isEnabled('AuthorizeWithSelectors'))),
    ...auditFileErrors(options),
    ...tracingFileErrors(options),
    ...(await encryptionFileErrors(options, gates.isEnabled('KMSv1'))),
  ];
}
