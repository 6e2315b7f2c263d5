import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Pair } from '#test/compare/pair.ts';
import type { TwoServers } from '#test/compare/two-servers.ts';
import type { JsonClient } from '#test/json-client.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/**
 * Every discovery document of both servers, old and aggregated, the automatic APIServices, the versions that `/version`
 * names, and the metric of features.
 */
export async function compareDiscovery({ ours, theirs }: Pair, servers: TwoServers): Promise<void> {
  const both = (read: (client: JsonClient) => Promise<JsonValue>): Promise<JsonValue[]> =>
    Promise.all([ours.json, theirs.json].map(read));
  const compare = async (what: string, read: (client: JsonClient) => Promise<JsonValue>): Promise<void> => {
    const [have = null, want = null] = await both(read);
    servers.equal(what, have, want);
  };
  for (const path of ['/api', '/apis']) {
    await compare(`aggregated ${path}`, (client) => get(client, path, aggregated));
    await compare(path, async (client) => withoutAddress(await get(client, path)));
  }
  await compare('/version', async (client) => emulation(await get(client, '/version')));
  const [features = {}, wanted = {}] = await Promise.all([ours.json, theirs.json].map(featuresOf));
  for (const name of new Set([...Object.keys(features), ...Object.keys(wanted)]))
    servers.equal(`feature ${name}`, features[name] ?? null, wanted[name] ?? null);
  await compare('APIServices', async (client) =>
    items(await get(client, '/apis/apiregistration.k8s.io/v1/apiservices')).map(({ spec }) => spec ?? null),
  );
  const paths = new Set(
    (await both(groupVersionPaths)).flatMap((found) => (Array.isArray(found) ? found.map(String) : [])),
  );
  for (const path of paths) await compare(path, async (client) => inOrder(await get(client, path)));
}

async function get(client: JsonClient, path: string, accept?: string): Promise<JsonValue> {
  return (await client.call('GET', path, undefined, accept)).body as JsonValue;
}

/** Stage and state of each gate. */
async function featuresOf(client: JsonClient): Promise<Record<string, string>> {
  const lines = String(await get(client, '/metrics')).matchAll(
    /^kubernetes_feature_enabled\{name="(\w+)",stage="(\w*)"\} (\d)/gm,
  );
  return Object.fromEntries([...lines].map(([, name = '', stage = '', value = '']) => [name, `${stage} ${value}`]));
}

async function groupVersionPaths(client: JsonClient): Promise<JsonValue> {
  const { groups } = (await get(client, '/apis')) as {
    groups: { name: string; versions: { groupVersion: string }[] }[];
  };
  return [
    '/api/v1',
    ...groups.flatMap(({ name, versions }) => [
      `/apis/${name}`,
      ...versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
    ]),
  ];
}

function items(list: JsonValue): JsonObject[] {
  return isObject(list) && Array.isArray(list['items']) ? list['items'].filter(isObject) : [];
}

/** The addresses of a server are its own. */
function withoutAddress(document: JsonValue): JsonValue {
  return isObject(document) ? { ...document, serverAddressByClientCIDRs: null } : document;
}

/** Resources by name: the reference lists them as a Go map has them. */
function inOrder(document: JsonValue): JsonValue {
  if (!isObject(document) || !Array.isArray(document['resources'])) return document;
  return {
    ...document,
    resources: document['resources']
      .filter(isObject)
      .toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
  };
}

/** The build is a server's own. */
function emulation(document: JsonValue): JsonValue {
  if (!isObject(document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([key]) => /major|minor|gitVersion/i.test(key)));
}
