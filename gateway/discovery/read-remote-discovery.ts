import { aggregatorUser } from '#gateway/apiservices/aggregator-user.ts';
import type { RemoteServer } from '#gateway/remote/remote-server.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import type {
  APIResourceDiscovery,
  APISubresourceDiscovery,
  APIVersionDiscovery,
  ResponseKind,
} from '#shared/endpoints/discovery/api-group-discovery.ts';

/** Discovery of a group version as its registered server answered it. */
export interface RemoteDocument {
  /** Undefined if the server does not list the group version. */
  readonly version: APIVersionDiscovery | undefined;
  readonly etag: string;
}

const timeoutMs = 5000;
/** Largest accepted document. For comparison, that of all built-in resources has about 0.1 MB. */
const maxBytes = 4 * 1024 * 1024;
const aggregatedAccept =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

/**
 * Requests a server's aggregated discovery document, or the legacy one of the group version if the server has no
 * aggregated one (kube-aggregator/pkg/apiserver/handler_discovery.go). Malformed parts are dropped. Rejects when no
 * document could be read.
 */
export async function readRemoteDiscovery(
  server: RemoteServer,
  known: RemoteDocument | undefined,
): Promise<RemoteDocument> {
  const { group, version } = server.spec;
  const address = server.address();
  const condition = known === undefined || known.etag === '' ? [] : ['if-none-match', known.etag];
  const { status, headers, body } = await server.fetch(address, '/apis', {
    user: aggregatorUser,
    headers: ['accept', aggregatedAccept, ...condition],
    timeoutMs,
    maxBytes,
  });
  if (status === 304 && known !== undefined) return known;
  if (status === 503) throw new Error(`${server.name} answered 503`);
  if (status === 200 && isAggregated(String(headers['content-type']))) {
    const found = objectsAt(parse(body), 'items').find((item) => stringAt(item, 'metadata', 'name') === group);
    const entry = objectsAt(found, 'versions').find((item) => stringAt(item, 'version') === version);
    return { version: entry === undefined ? undefined : readVersion(version, entry), etag: headers.etag ?? '' };
  }
  return { version: await readLegacy(server, address), etag: '' };
}

async function readLegacy(server: RemoteServer, address: string): Promise<APIVersionDiscovery> {
  const { group, version } = server.spec;
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const { status, body } = await server.fetch(address, path, {
    user: aggregatorUser,
    headers: ['accept', 'application/json'],
    timeoutMs,
    maxBytes,
  });
  if (status !== 200) throw new Error(`failed to download legacy discovery for ${path}: ${status}`);
  const document = parse(body);
  if (stringAt(document, 'kind') !== 'APIResourceList') throw new Error(`${path} is no APIResourceList`);
  return legacyVersion(version, objectsAt(document, 'resources'));
}

/** Whether the type is that of an aggregated document. */
export function isAggregated(contentType: string): boolean {
  return (
    /^application\/json\b/.test(contentType) &&
    contentType.includes('g=apidiscovery.k8s.io') &&
    contentType.includes('as=APIGroupDiscoveryList') &&
    /\bv=v2(?:beta1)?\b/.test(contentType)
  );
}

function parse(body: Buffer): JsonObject {
  const value = JSON.parse(body.toString('utf8')) as JsonValue;
  if (!isObject(value)) throw new Error('the document is not an object');
  return value;
}

/** One version of an aggregated document; malformed parts are dropped. */
export function readVersion(version: string, entry: JsonObject): APIVersionDiscovery {
  const resources = objectsAt(entry, 'resources').map(readResource);
  return { version, ...(resources.length > 0 && { resources }), freshness: 'Current' };
}

function readResource(resource: JsonObject): APIResourceDiscovery {
  const subresources = objectsAt(resource, 'subresources').map((sub): APISubresourceDiscovery => ({
    subresource: stringAt(sub, 'subresource'),
    responseKind: readKind(objectAt(sub, 'responseKind')),
    verbs: stringsAt(sub, 'verbs'),
  }));
  return {
    resource: stringAt(resource, 'resource'),
    responseKind: readKind(objectAt(resource, 'responseKind')),
    scope: readScope(resource),
    singularResource: stringAt(resource, 'singularResource'),
    verbs: stringsAt(resource, 'verbs'),
    ...lists(resource),
    ...(subresources.length > 0 && { subresources }),
  };
}

/**
 * Converts the legacy form, where subresources are entries of their own. If a subresource's resource is missing, it is
 * added.
 */
function legacyVersion(version: string, lines: readonly JsonObject[]): APIVersionDiscovery {
  const found = new Map<string, APIResourceDiscovery & { subresources?: APISubresourceDiscovery[] }>();
  const scope = (line: JsonObject): 'Namespaced' | 'Cluster' =>
    booleanAt(line, 'namespaced') === true ? 'Namespaced' : 'Cluster';
  for (const line of lines) {
    const name = stringAt(line, 'name');
    if (name === '' || name.includes('/')) continue;
    found.set(name, {
      resource: name,
      responseKind: readKind(line),
      scope: scope(line),
      singularResource: stringAt(line, 'singularName'),
      verbs: stringsAt(line, 'verbs'),
      ...lists(line),
    });
  }
  for (const line of lines) {
    const name = stringAt(line, 'name');
    const slash = name.indexOf('/');
    if (slash < 0) continue;
    const parentName = name.slice(0, slash);
    let parent = found.get(parentName);
    if (parent === undefined)
      found.set(
        parentName,
        (parent = {
          resource: parentName,
          responseKind: readKind(undefined),
          scope: scope(line),
          singularResource: '',
          verbs: [],
        }),
      );
    (parent.subresources ??= []).push({
      subresource: name.slice(slash + 1),
      responseKind: readKind(line),
      verbs: stringsAt(line, 'verbs'),
    });
  }
  return { version, ...(found.size > 0 && { resources: [...found.values()] }), freshness: 'Current' };
}

function lists(resource: JsonObject): { shortNames?: readonly string[]; categories?: readonly string[] } {
  const shortNames = stringsAt(resource, 'shortNames');
  const categories = stringsAt(resource, 'categories');
  return { ...(shortNames.length > 0 && { shortNames }), ...(categories.length > 0 && { categories }) };
}

/** The scope of a resource; empty if the server does not give one. */
function readScope(resource: JsonObject): APIResourceDiscovery['scope'] {
  const scope = stringAt(resource, 'scope');
  return scope === 'Namespaced' || scope === '' ? scope : 'Cluster';
}

function readKind(kind: JsonObject | undefined): ResponseKind {
  return { group: stringAt(kind, 'group'), version: stringAt(kind, 'version'), kind: stringAt(kind, 'kind') };
}
