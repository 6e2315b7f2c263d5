import type { ApiClient } from '#servers/controllers/client/api-client.ts';
import type { MetaObject } from '#servers/controllers/client/meta-object.ts';
import { chosenControllers, type ControllerName } from '#shared/server/options/controller-flags.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/** What a controller gives each namespace. */
const equipment: readonly (readonly [ControllerName, resource: string, name: string])[] = [
  ['serviceaccount-controller', 'serviceaccounts', 'default'],
  ['root-ca-certificate-publisher-controller', 'configmaps', 'kube-root-ca.crt'],
];
/** Of 63 characters five are drawn by the server. */
const longestStart = 57;

/**
 * Makes a namespace whose name begins like a test's, and resolves with its name when it has what controllers give each
 * namespace.
 */
export async function newNamespace(
  client: ApiClient,
  { controllers }: Pick<ServerOptions, 'controllers'>,
  testName: string,
): Promise<string> {
  const body = { kind: 'Namespace', apiVersion: 'v1', metadata: { generateName: `${nameStart(testName)}-` } };
  const { metadata } = await client.send<MetaObject>({ method: 'POST', path: '/api/v1/namespaces', body });
  const running = chosenControllers(controllers);
  await Promise.all(
    equipment
      .filter(([controller]) => running.includes(controller))
      .map(([, resource, name]) => untilThere(client, `/api/v1/namespaces/${metadata.name}/${resource}`, name)),
  );
  return metadata.name;
}

/** The words of a text as a label of DNS. */
function nameStart(text: string): string {
  const words = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const start = words.replace(/^-+/, '').slice(0, longestStart).replace(/-+$/, '');
  return start === '' ? 'test' : start;
}

/** A watch without a resource version begins with what is there. */
async function untilThere(client: ApiClient, path: string, name: string): Promise<void> {
  const ending = new AbortController();
  const lines = client.lines({
    path: `${path}?watch=1&fieldSelector=metadata.name%3D${encodeURIComponent(name)}`,
    signal: ending.signal,
  });
  try {
    for await (const line of lines) if ((JSON.parse(line) as { readonly type: string }).type === 'ADDED') return;
  } finally {
    ending.abort();
  }
}
