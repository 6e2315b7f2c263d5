import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { authorizersOfFlags, type AuthorizationFlags } from './authorization-flags.ts';
import { loadAuthorization, type LoadedAuthorizer } from './load-authorization.ts';

/** The authorizers of a process at its start. */
export interface OpenedAuthorizers {
  readonly authorizers: readonly LoadedAuthorizer[];
  /** Whether match conditions may read selectors. */
  readonly readsSelectors: boolean;
  /** The AuthorizationConfiguration that they come from, which is followed; undefined where flags say them. */
  readonly file?: { readonly path: string; readonly bytes: Uint8Array };
}

/**
 * The authorizers that the flags say, or the file that they name.
 * @param readsSelectors whether the gate AuthorizeWithSelectors is on
 * @throws ConfigurationError
 */
export async function openAuthorizers(flags: AuthorizationFlags, readsSelectors: boolean): Promise<OpenedAuthorizers> {
  const path = flags.authorizationConfig;
  if (path === '') return { authorizers: authorizersOfFlags(flags), readsSelectors };
  let bytes;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new ConfigurationError(readError(error, path));
  }
  return { authorizers: await loadAuthorization(bytes, { readsSelectors }), readsSelectors, file: { path, bytes } };
}
