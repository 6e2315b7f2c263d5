import { ApiError, metadataOnly, type ApiClient } from '#servers/controllers/client/api-client.ts';
import { collectionPath, objectPath, type ApiResource } from '#servers/controllers/client/discovery.ts';
import type { MetaList, MetaObject, ObjectMetadata } from '#servers/controllers/client/meta-object.ts';
import type { Turn } from '#servers/controllers/work/turns.ts';

const pageItems = 500;
/** Whoever deletes a namespace has decided about all of its objects: none of them asks for another policy. */
const inBackground = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };

/**
 * Deletes all objects of a resource in a namespace. Resolves with those that are left: some end gracefully, and some
 * are held by finalizers.
 * @throws ApiError when they cannot be listed or deleted
 * @throws Error when an object stays that nothing holds
 */
export async function deleteContent(
  client: ApiClient,
  turn: Turn,
  resource: ApiResource,
  namespace: string,
): Promise<readonly ObjectMetadata[]> {
  const canList = resource.verbs.has('list');
  const before = canList ? await listContent(client, resource, namespace) : undefined;
  if (before?.length === 0) return [];
  if (!(await deleteCollection(client, turn, resource, namespace)))
    for (const { name } of before ?? []) await deleteObject(client, turn, objectPath(resource, namespace, name));
  const left = canList ? await listContent(client, resource, namespace) : [];
  if (left.length > 0 && left.every((object) => !isHeld(object)))
    throw new Error(
      `unexpected items still remain in namespace: ${namespace} for gvr: ${resource.group}/${resource.version}, Resource=${resource.resource}`,
    );
  return left;
}

/** Whether an object may be there for a while although it was deleted. */
function isHeld({ finalizers = [], deletionGracePeriodSeconds = 0 }: ObjectMetadata): boolean {
  return finalizers.length > 0 || deletionGracePeriodSeconds > 0;
}

async function listContent(
  client: ApiClient,
  resource: ApiResource,
  namespace: string,
): Promise<readonly ObjectMetadata[]> {
  const found: ObjectMetadata[] = [];
  let next: string | undefined = '';
  while (next !== undefined) {
    const more: string = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const path = `${collectionPath(resource, namespace)}?limit=${pageItems}${more}`;
    const list: MetaList<MetaObject> | undefined = await unlessUnsupported(
      client.send<MetaList<MetaObject>>({ path, accept: metadataOnly('List') }),
    );
    for (const { metadata } of list?.items ?? []) found.push(metadata);
    next = (list?.metadata.continue ?? '') === '' ? undefined : list?.metadata.continue;
  }
  return found;
}

/** @returns whether the resource can be deleted at once */
async function deleteCollection(
  client: ApiClient,
  turn: Turn,
  resource: ApiResource,
  namespace: string,
): Promise<boolean> {
  if (!resource.verbs.has('deletecollection')) return false;
  const path = collectionPath(resource, namespace);
  const answer = await unlessUnsupported(
    turn.write(() => client.send<object>({ method: 'DELETE', path, body: inBackground, accept: metadataOnly('List') })),
  );
  return answer !== undefined;
}

async function deleteObject(client: ApiClient, turn: Turn, path: string): Promise<void> {
  await unlessUnsupported(turn.write(() => client.send<object>({ method: 'DELETE', path, body: inBackground })));
}

/** Discovery may name what is gone since, and servers may name what they do not serve. */
async function unlessUnsupported<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return undefined;
    throw error;
  }
}
