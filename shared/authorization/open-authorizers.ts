import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { authorizersOfFlags, type AuthorizationFlags } from './configuration/authorization-flags.ts';
import type { LoadedAuthorizer } from './configuration/load-authorization.ts';
import type { MakeWebhook } from './make-webhook.ts';
import type { LoadAuthorizers } from './reloaded-chain.ts';

/** The authorizers of a process at its start. */
export interface OpenedAuthorizers {
  readonly authorizers: readonly LoadedAuthorizer[];
  /** Undefined where there is no webhook, and none can follow. */
  readonly makeWebhook?: MakeWebhook;
  /** The AuthorizationConfiguration that they come from, which is followed; undefined where flags say them. */
  readonly file?: { readonly path: string; readonly bytes: Uint8Array; readonly load: LoadAuthorizers };
}

/**
 * The authorizers that the flags say, or the file that they name. What files and webhooks need is loaded where there
 * are some: few servers have them.
 * @param readsSelectors whether the gate AuthorizeWithSelectors is on
 * @throws ConfigurationError
 */
export async function openAuthorizers(flags: AuthorizationFlags, readsSelectors: boolean): Promise<OpenedAuthorizers> {
  const path = flags.authorizationConfig;
  if (path !== '') return await openFile(path, readsSelectors);
  const authorizers = authorizersOfFlags(flags);
  return authorizers.some(({ type }) => type === 'Webhook')
    ? { authorizers, ...(await webhookMaker()) }
    : { authorizers };
}

async function openFile(path: string, readsSelectors: boolean): Promise<OpenedAuthorizers> {
  let bytes;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new ConfigurationError(readError(error, path));
  }
  const { loadAuthorization } = await import('./configuration/load-authorization.ts');
  const load: LoadAuthorizers = (contents, requiredTypes) =>
    loadAuthorization(contents, { readsSelectors, requiredTypes });
  return { authorizers: await load(bytes, new Set()), file: { path, bytes, load }, ...(await webhookMaker()) };
}

async function webhookMaker(): Promise<{ makeWebhook: MakeWebhook }> {
  const { makeWebhook } = await import('./make-webhook.ts');
  return { makeWebhook };
}
