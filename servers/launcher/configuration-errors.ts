import { authorizationFileErrors } from '#shared/authorization/configuration/authorization-file-errors.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/**
 * The errors of configuration files that may hold expressions. A bundle of its own: the launcher needs it for few
 * flags only.
 */
export async function fileErrors(options: ServerOptions): Promise<string[]> {
  const readsSelectors = featureGates(options).gates.isEnabled('AuthorizeWithSelectors');
  return await authorizationFileErrors(options, readsSelectors);
}
