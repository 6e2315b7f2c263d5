import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readKubeconfig } from '#shared/configuration/kubeconfig.ts';
import { readPolicyFile } from './abac/policy-file.ts';
import { invalidAuthorization, type AuthorizationFlags } from './configuration/authorization-flags.ts';
import { openAuthorizers } from './open-authorizers.ts';

/**
 * The errors of the files that the flags of authorization name, for a check before anything starts.
 * @param readsSelectors whether the gate AuthorizeWithSelectors is on
 */
export async function authorizationFileErrors(flags: AuthorizationFlags, readsSelectors: boolean): Promise<string[]> {
  const errors: string[] = [];
  const attempt = async <T>(prefix: string, read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      errors.push(prefix + error.message);
      return undefined;
    }
  };
  const opened = await attempt('', () => openAuthorizers(flags, readsSelectors));
  for (const { type, webhook } of opened?.authorizers ?? []) {
    if (type === 'ABAC') await attempt(invalidAuthorization, () => readPolicyFile(flags.authorizationPolicyFile));
    const file = webhook?.connectionInfo.kubeConfigFile;
    if (file !== undefined) await attempt(invalidAuthorization, () => readKubeconfig(file).target());
  }
  return errors;
}
