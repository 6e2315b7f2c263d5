import type { ApiClient } from '#servers/controllers/client/api-client.ts';
import { ApiError } from '#servers/controllers/client/api-client.ts';
import {
  collectionPath,
  discoverResources,
  groupOf,
  objectPath,
  type ApiResource,
} from '#servers/controllers/client/discovery.ts';
import { definedKinds, isDefinition, untilServed } from './definitions.ts';
import type { ManifestObject, PlacedObject } from './read-manifests.ts';
import { untilWebhooksAnswer } from './webhook-servers.ts';

const fieldManager = 'quarterdeck';

/** What others need is applied before them; webhooks last, since they would be called for the others. */
const phases: readonly ((object: ManifestObject) => boolean)[] = [
  ({ kind, apiVersion }) => kind === 'Namespace' && apiVersion === 'v1',
  isDefinition,
  (object) => !isLate(object),
  isLate,
];
const lateKinds: ReadonlySet<string> = new Set([
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'MutatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicyBinding',
]);

function isLate({ kind, apiVersion }: ManifestObject): boolean {
  return groupOf(apiVersion) === 'admissionregistration.k8s.io' && lateKinds.has(kind);
}

/**
 * Applies objects on the server's side, whoever owned their fields: namespaces first, then definitions, webhooks last.
 * Resolves with the objects as they are then, in the given order, when definitions are served and the servers of
 * webhooks take connections.
 * @throws Error (as a rejection) for a kind that is neither served nor defined; nothing is changed then
 * @throws Error that names the object which the server refused; those before it stay
 */
export async function applyObjects(client: ApiClient, placed: readonly PlacedObject[]): Promise<readonly object[]> {
  await checkKinds(client, placed);
  const applied = new Map<PlacedObject, object>();
  for (const isOf of phases) {
    const phase = placed.filter((each) => !applied.has(each) && isOf(each.object));
    if (phase.length === 0) continue;
    const { resources } = await discoverResources(client);
    for (const each of phase) applied.set(each, await applyOne(client, resources, each));
    await untilServed(
      client,
      phase.map(({ object }) => object),
    );
  }
  await untilWebhooksAnswer(
    client,
    placed.map(({ object }) => object),
  );
  return placed.map((each) => applied.get(each) as object);
}

async function checkKinds(client: ApiClient, placed: readonly PlacedObject[]): Promise<void> {
  const { resources } = await discoverResources(client);
  const defined = definedKinds(placed.map(({ object }) => object));
  for (const { object, place } of placed) {
    const key = kindKey(object);
    if (!defined.has(key) && resourceOf(resources, object) === undefined)
      throw new Error(
        `${place}: nothing serves ${object.kind} of ${object.apiVersion}: apply its definition before it, or with it`,
      );
  }
}

function kindKey({ apiVersion, kind }: ManifestObject): string {
  return `${kind} ${apiVersion}`;
}

/** Discovery tells a resource once for all versions of its group. */
function resourceOf(resources: readonly ApiResource[], { apiVersion, kind }: ManifestObject): ApiResource | undefined {
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const found = resources.find((each) => each.group === group && each.kind === kind);
  return found && { ...found, version };
}

async function applyOne(
  client: ApiClient,
  resources: readonly ApiResource[],
  { object, place }: PlacedObject,
): Promise<object> {
  const resource = resourceOf(resources, object);
  if (resource === undefined) throw new Error(`${place}: nothing serves ${object.kind} of ${object.apiVersion}`);
  const { name, namespace = 'default' } = object.metadata;
  const home = resource.isNamespaced ? namespace : '';
  try {
    if (name === undefined)
      return await client.send<object>({
        method: 'POST',
        path: `${collectionPath(resource, home)}?fieldManager=${fieldManager}`,
        body: object,
      });
    return await client.send<object>({
      method: 'PATCH',
      path: `${objectPath(resource, home, name)}?fieldManager=${fieldManager}&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: object,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new Error(`${place}: ${object.kind}/${name ?? object.metadata.generateName}: ${error.message}`, {
      cause: error,
    });
  }
}
