import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '#test/api-client.ts';
import type { ListedObject, ListedState } from './listed-object.ts';
import { isWaitingForControllers } from './pending-work.ts';

/** What servers write of themselves, and a rollback leaves. */
const ofServers = [
  /^leases\.coordination\.k8s\.io\/kube-system\/apiserver-/,
  /^endpoints\.\/default\/kubernetes$/,
  /^endpointslices\.discovery\.k8s\.io\/default\/kubernetes$/,
];
/** What servers make again within 10 s when it was deleted. */
const remade = 'services./default/kubernetes';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface GroupItem {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly {
    readonly version: string;
    readonly resources?: readonly { readonly resource: string; readonly verbs: readonly string[] }[];
  }[];
}

/** Thrown where discovery shows what is not served. */
class UnlistedError extends Error {
  override readonly name = 'UnlistedError';
}

/** Lists all that discovery shows. @throws UnlistedError (as a rejection) */
export async function listState(client: ApiClient): Promise<ListedState> {
  const state = new Map<string, ListedObject>();
  const headers = { accept: aggregated };
  const groups = await Promise.all(['/api', '/apis'].map((path) => client.send('GET', path, { headers })));
  const lists = groups
    .flatMap(({ json }) => (json as { readonly items: readonly GroupItem[] }).items)
    .flatMap(({ metadata: { name: group = '' }, versions: [first] }) =>
      (first?.resources ?? [])
        .filter(({ verbs }) => verbs.includes('list'))
        .map(({ resource }) => ({
          key: `${resource}.${group}`,
          path: `${group === '' ? '/api' : `/apis/${group}`}/${first?.version}/${resource}`,
        })),
    );
  await Promise.all(
    lists.map(async ({ key, path }) => {
      const answer = await client.send('GET', path);
      if (answer.status !== 200)
        throw new UnlistedError(`GET ${path} was answered with ${answer.status}: ${answer.text}`);
      for (const object of (answer.json as { readonly items: readonly ListedObject[] }).items) {
        const place = `${key}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
        if (!ofServers.some((pattern) => pattern.test(place))) state.set(place, object);
      }
    }),
  );
  return state;
}

/** What differs between two states but for resource versions and how far definitions and namespaces go, in words. */
export function stateDifferences(before: ListedState, after: ListedState): readonly string[] {
  const texts = (state: ListedState): ReadonlyMap<string, string> =>
    new Map([...state].map(([place, object]) => [place, JSON.stringify(comparable(place, object))]));
  const [then, now] = [texts(before), texts(after)];
  return [
    ...[...then].filter(([place]) => !now.has(place)).map(([place]) => `${place} is gone`),
    ...[...now].filter(([place]) => !then.has(place)).map(([place]) => `${place} is new`),
    ...[...then]
      .filter(([place, text]) => now.has(place) && now.get(place) !== text)
      .map(([place, text]) => `${place} differs:\n  ${text}\n  ${now.get(place)}`),
  ];
}

/** So many equal lists in a row, 60 ms apart, are the end of what follows from writes. */
const calmLists = 2;
/** The same where something is being deleted, which finalizers of the test's may hold. */
const calmListsOfGoing = 6;

/** After so many something goes on for ever. */
const maxLists = 500;

/** Waits until controllers and servers have done what follows from the writes so far. */
export async function settledState(client: ApiClient): Promise<ListedState> {
  let before: ListedState = new Map();
  let last: unknown = 'nothing was listed';
  for (let calm = 0, lists = 0; lists < maxLists; lists++, await sleep(60)) {
    try {
      const state = await listState(client);
      calm = versionsOf(state) === versionsOf(before) ? calm + 1 : 1;
      last = [...state]
        .filter(([place, object]) => object.metadata.resourceVersion !== before.get(place)?.metadata.resourceVersion)
        .map(([, object]) => JSON.stringify(object));
      before = state;
      const isGoing = [...state.values()].some(({ metadata }) => metadata.deletionTimestamp !== undefined);
      const isRest = state.has(remade) && !isWaitingForControllers(state);
      if (isRest && calm >= (isGoing ? calmListsOfGoing : calmLists)) return state;
    } catch (error) {
      // A definition is about to go.
      if (!(error instanceof UnlistedError)) throw error;
      last = error.message;
    }
  }
  throw new Error(`lists do not come to rest: ${String(last)}`);
}

function versionsOf(state: ListedState): string {
  return JSON.stringify([...state].map(([place, { metadata }]) => `${place} ${metadata.resourceVersion}`).toSorted());
}

function comparable(place: string, object: ListedObject): ListedObject {
  const { metadata, status } = object;
  const compared = { ...object, metadata: { ...metadata, resourceVersion: '' } };
  if (metadata.deletionTimestamp === undefined) return compared;
  const withoutFields = { ...compared, metadata: { ...compared.metadata, managedFields: [] } };
  // What finalizers hold in it is told anew after pauses of up to eight seconds.
  if (place.startsWith('namespaces./')) return { ...withoutFields, status: {} };
  if (!place.startsWith('customresourcedefinitions.')) return compared;
  // While finalizers hold its objects, it tells after a minute that they do not go, whatever a rollback undid.
  const conditions = (status?.conditions ?? []).filter(({ type }) => type !== 'Terminating');
  return { ...withoutFields, status: { ...status, conditions } };
}
