import { setTimeout as sleep } from 'node:timers/promises';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { TwoServers } from '#test/compare/two-servers.ts';
import type { JsonClient } from '#test/json-client.ts';
import type { Definition } from './definitions.ts';

interface Document {
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
  readonly parameters?: JsonObject;
}

/**
 * Discovery and OpenAPI of the groups that were defined, of both servers. Texts on operations are not compared: ours
 * have none.
 */
export async function compareDocuments(
  servers: TwoServers,
  clients: readonly JsonClient[],
  definitions: readonly Definition[],
): Promise<void> {
  const versions = new Set(
    definitions.flatMap(({ spec }) =>
      spec.versions.filter(({ served }) => served).map(({ name }) => `${spec.group}/${name}`),
    ),
  );
  const groups = new Set(definitions.map(({ spec }) => spec.group));
  for (const path of [...groups, ...versions]) await servers.ask(`discovery of ${path}`, [200], 'GET', `/apis/${path}`);
  for (const version of versions) {
    const [ours = {}, theirs = {}] = await Promise.all(
      clients.map(async (client) =>
        plainPaths((await client.call('GET', `/openapi/v3/apis/${version}`)).body as JsonObject, {}),
      ),
    );
    servers.equal(`OpenAPI v3 of ${version}`, ours, theirs);
  }
  const last = [...versions].at(-1) ?? '';
  const [ours = {}, theirs = {}] = await Promise.all(
    clients.map(async (client) => partsOf(await documentWith(client, `/apis/${last}/`), groups)),
  );
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)]))
    servers.equal(`OpenAPI v2: ${key}`, ours[key] ?? null, theirs[key] ?? null);
}

/** The v2 document, as soon as it has the paths: the reference's follows the definitions after a while. */
async function documentWith(client: JsonClient, prefix: string): Promise<Document> {
  for (const deadline = performance.now() + 10_000; ; await sleep(200)) {
    const document = (await client.call('GET', '/openapi/v2')).body as Document;
    if (performance.now() > deadline || Object.keys(document.paths).some((path) => path.startsWith(prefix)))
      return document;
  }
}

/** Paths and models of the groups. */
function partsOf(document: Document, groups: ReadonlySet<string>): Record<string, JsonValue> {
  const isOurs = (path: string): boolean => groups.has(path.split('/')[2] ?? '');
  const prefixes = [...groups].map((group) => `${group.split('.').toReversed().join('.')}.`);
  const { paths } = plainPaths({ paths: document.paths }, document.parameters ?? {});
  return {
    ...Object.fromEntries(Object.entries(isObject(paths) ? paths : {}).filter(([path]) => isOurs(path))),
    ...Object.fromEntries(
      Object.entries(document.definitions).filter(([name]) => prefixes.some((prefix) => name.startsWith(prefix))),
    ),
  };
}

/**
 * The document with shared parameters in their places, without texts on operations and on models that every document
 * has.
 */
function plainPaths(document: JsonObject, parameters: JsonObject): JsonObject {
  const { components } = document;
  const schemas = isObject(components) && isObject(components['schemas']) ? components['schemas'] : {};
  const models = Object.entries(schemas).map(([name, schema]) => [
    name,
    name.startsWith('io.k8s.a') ? plain(schema, {}) : schema,
  ]);
  return {
    ...document,
    paths: plain(document['paths'] ?? {}, parameters),
    components: { ...(isObject(components) ? components : {}), schemas: Object.fromEntries(models) },
  };
}

function plain(value: JsonValue, parameters: JsonObject): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => plain(item, parameters));
    return items.every((item) => isObject(item) && typeof item['name'] === 'string' && item['in'] !== undefined)
      ? byName(items)
      : items;
  }
  if (!isObject(value)) return value;
  const { $ref } = value;
  const shared =
    typeof $ref === 'string' && $ref.startsWith('#/parameters/')
      ? getKey(parameters, $ref.slice('#/parameters/'.length))
      : undefined;
  if (shared !== undefined) return plain(shared, parameters);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, text]) => key !== 'description' || typeof text !== 'string')
      .map(([key, child]) => [key, plain(child, parameters)]),
  );
}

function byName(parameters: JsonValue[]): JsonValue[] {
  return parameters.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf(parameter: JsonValue): string {
  return isObject(parameter) ? String(parameter['name']) : '';
}
