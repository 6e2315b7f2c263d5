import { ApiError, type ApiClient } from '#servers/controllers/client/api-client.ts';
import { discoverResources, type ApiResource } from '#servers/controllers/client/discovery.ts';
import type { NamespaceObject } from '#servers/controllers/client/namespace-object.ts';
import { inParallel } from '#servers/controllers/work/in-parallel.ts';
import { UndoneError, type Turn, type Turns } from '#servers/controllers/work/turns.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import { deleteContent } from './delete-content.ts';
import { conditionsAfter, type EmptyingReport } from './namespace-conditions.ts';
import { RemainingCounts } from './remaining-content.ts';

/** Resources that are emptied at a time. */
const width = 12;
const finalizer = 'kubernetes';

/** Thrown while objects of a namespace are held by finalizers or end gracefully. */
export class ContentRemainsError extends Error {
  override readonly name = 'ContentRemainsError';
}

/**
 * Deletes what is in a namespace that is being deleted, and then the namespace, in the order of
 * pkg/controller/namespace/deletion: pods first, then all else (KEP-5080), then the finalizer `kubernetes`.
 * @throws ContentRemainsError (as a rejection) if something is left, and the work has to be repeated
 * @throws Error if something could not be deleted; the namespace's conditions say what
 */
export async function emptyNamespace(client: ApiClient, turns: Turns, name: string): Promise<void> {
  const turn = await turns.begin();
  const namespace = await readNamespace(client, name);
  if (namespace?.metadata.deletionTimestamp === undefined) return;
  if ((namespace.spec?.finalizers ?? []).length === 0) return;
  const { resources, failures } = await discoverResources(client);
  const deletable = resources.filter(({ isNamespaced, verbs }) => isNamespaced && verbs.has('delete'));
  const isPods = ({ group, resource }: ApiResource): boolean => group === '' && resource === 'pods';
  const content = new Content(client, turn, name);
  await content.empty(deletable.filter(isPods));
  const arePodsGone = content.remaining.isEmpty;
  if (arePodsGone) await content.empty(deletable.filter((resource) => !isPods(resource)));
  const report: EmptyingReport = {
    discoveryFailures: failures,
    contentErrors: content.errors,
    remaining: arePodsGone ? content.remaining : undefined,
  };
  await tellConditions(client, turn, namespace, report);
  if (content.errors.length > 0) throw new Error(content.errors.join('; '));
  if (!content.remaining.isEmpty) throw new ContentRemainsError(`namespace ${name} is not empty yet`);
  // What cannot be discovered may have objects there.
  if (failures.size > 0) throw new Error(`namespace ${name}: ${[...failures.values()].join('; ')}`);
  await finalize(client, turn, namespace);
}

/** What happens to the content of one namespace. */
class Content {
  readonly remaining = new RemainingCounts();
  readonly errors: string[] = [];
  readonly #client: ApiClient;
  readonly #turn: Turn;
  readonly #namespace: string;

  constructor(client: ApiClient, turn: Turn, namespace: string) {
    this.#client = client;
    this.#turn = turn;
    this.#namespace = namespace;
  }

  async empty(resources: readonly ApiResource[]): Promise<void> {
    const results = await inParallel(resources, width, (resource) =>
      deleteContent(this.#client, this.#turn, resource, this.#namespace),
    );
    for (const [at, result] of results.entries()) {
      if (result.status === 'fulfilled') {
        const { resource, group } = resources[at] as ApiResource;
        this.remaining.add(
          `${resource}.${group}`,
          result.value.map(({ finalizers = [] }) => finalizers),
        );
        continue;
      }
      if (result.reason instanceof UndoneError) throw result.reason;
      this.errors.push(result.reason instanceof Error ? result.reason.message : String(result.reason));
    }
  }
}

async function readNamespace(client: ApiClient, name: string): Promise<NamespaceObject | undefined> {
  try {
    return await client.send<NamespaceObject>({ path: namespacePath(name) });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function tellConditions(
  client: ApiClient,
  turn: Turn,
  namespace: NamespaceObject,
  report: EmptyingReport,
): Promise<void> {
  await change(client, turn, namespace, '/status', (current) => {
    const conditions = conditionsAfter(report, current.status?.conditions ?? [], nowText());
    return conditions && { ...current, status: { ...current.status, phase: 'Terminating', conditions } };
  });
}

async function finalize(client: ApiClient, turn: Turn, namespace: NamespaceObject): Promise<void> {
  await change(client, turn, namespace, '/finalize', (current) => {
    const finalizers = (current.spec?.finalizers ?? []).filter((each) => each !== finalizer);
    return { ...current, spec: { ...current.spec, finalizers } };
  });
}

/** Writes a change of the namespace, of its newest version if others write it at the same time. */
async function change(
  client: ApiClient,
  turn: Turn,
  namespace: NamespaceObject,
  subresource: string,
  changed: (current: NamespaceObject) => NamespaceObject | undefined,
): Promise<void> {
  const { name, uid } = namespace.metadata;
  let current: NamespaceObject | undefined = await readNamespace(client, name);
  while (current !== undefined && current.metadata.uid === uid) {
    const body = changed(current);
    if (body === undefined) return;
    try {
      await turn.write(() => client.send<object>({ method: 'PUT', path: namespacePath(name) + subresource, body }));
      return;
    } catch (error) {
      if (isGone(error)) return;
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      current = await readNamespace(client, name);
    }
  }
}

function namespacePath(name: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(name)}`;
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** metav1.Time has whole seconds. */
function nowText(): string {
  return timeFromMs(objectNowMs());
}
