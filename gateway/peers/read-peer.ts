import { isAggregated, readVersion } from '#gateway/discovery/read-remote-discovery.ts';
import type { RemoteServer } from '#gateway/remote/remote-server.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { groupDiscovery, type APIGroupDiscovery } from '#shared/endpoints/discovery/api-group-discovery.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** Group versions that a peer serves, of both roots; the core group has no name. */
export type PeerDocument = readonly APIGroupDiscovery[];

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
/** Without the resources that the peer itself sends to others; older servers do not know the profile. */
const accept = `${aggregated};profile=nopeer,${aggregated},application/json`;
const timeoutMs = 5_000;
/** Largest accepted document. For comparison, that of all built-in resources has about 0.1 MB. */
const maxBytes = 4 * 1024 * 1024;

/** As whom the reference reads, too (apiserver/pkg/util/peerproxy/peer_discovery.go). */
const reader: UserInfo = {
  name: 'system:apiserver',
  uid: 'system:apiserver',
  groups: ['system:authenticated'],
  extra: {},
};

/**
 * Reads what a peer serves by itself. A root that cannot be read is left out.
 *
 * @param onAnswer called with the status of each answer
 * @param onError called for each root that could not be read
 */
export async function readPeer(
  server: RemoteServer,
  onAnswer: (status: number) => void,
  onError: (error: unknown) => void,
): Promise<PeerDocument> {
  const roots = ['/api', '/apis'].map(async (path) => {
    try {
      return await readRoot(server, path, onAnswer);
    } catch (error) {
      onError(error);
      return [];
    }
  });
  return (await Promise.all(roots)).flat();
}

async function readRoot(
  server: RemoteServer,
  path: string,
  onAnswer: (status: number) => void,
): Promise<APIGroupDiscovery[]> {
  const headers = ['accept', accept, ...server.ownHeaders];
  const answer = await server.fetch(server.address(), path, { user: reader, headers, timeoutMs, maxBytes });
  onAnswer(answer.status);
  if (answer.status !== 200) throw new Error(`${path} of ${server.name} answered ${answer.status}`);
  if (!isAggregated(String(answer.headers['content-type'])))
    throw new Error(`${path} of ${server.name} is no aggregated document`);
  const document = JSON.parse(answer.body.toString('utf8')) as JsonValue;
  return objectsAt(isObject(document) ? document : {}, 'items').map(readGroup);
}

function readGroup(item: JsonObject): APIGroupDiscovery {
  const versions = objectsAt(item, 'versions').map((entry) => ({
    ...readVersion(stringAt(entry, 'version'), entry),
    freshness: stringAt(entry, 'freshness') === 'Stale' ? ('Stale' as const) : ('Current' as const),
  }));
  return groupDiscovery(stringAt(item, 'metadata', 'name'), versions);
}
