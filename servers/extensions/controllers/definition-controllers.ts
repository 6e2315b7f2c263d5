import { isProtectedGroup } from '#servers/extensions/crds/api-approval.ts';
import type { DefinitionFeed } from '#servers/extensions/crds/definition-feed.ts';
import { parseWithoutSchemas } from '#servers/extensions/crds/read-definition.ts';
import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { definitionsResource, extensionsGroup } from '#servers/extensions/facts/extension-facts.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import { hasReason, newNotFound } from '#shared/apimachinery/errors/status.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { nextSlice } from '#shared/apimachinery/slices/slices.ts';
import { WorkQueue } from '#shared/follow/work-queue.ts';
import type { ResourceStore } from '#shared/registry/resource-store.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { approvalStep } from './approval.ts';
import { definitionBackOff } from './definition-back-off.ts';
import type { DefinitionStep } from './definition-step.ts';
import { establishingStep } from './establishing.ts';
import { Finalizing, type RemoveInstances } from './finalizing.ts';
import { namingStep } from './naming.ts';
import { nonStructuralStep } from './non-structural.ts';

/**
 * The steps, in the order in which a new definition needs them. Each step is a separate write, as in the reference, so
 * that watchers see the same intermediate states.
 */
const steps: readonly DefinitionStep[] = [approvalStep, nonStructuralStep, namingStep, establishingStep];

/** The controllers of definitions: names, establishing, conditions and clean-up. All writes are compare-and-set. */
export class DefinitionControllers {
  readonly #store: ResourceStore;
  readonly #feed: DefinitionFeed;
  readonly #queue: WorkQueue;
  readonly #finalizing: Finalizing;
  /** The accepted names of each definition, as last seen. */
  readonly #names = new Map<string, ReadonlySet<string>>();

  constructor(
    store: ResourceStore,
    feed: DefinitionFeed,
    removeInstances: RemoveInstances,
    onError: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#feed = feed;
    this.#queue = new WorkQueue({
      name: 'crd_naming_condition_controller',
      work: (name) => this.#sync(name),
      backOff: definitionBackOff,
      concurrency: 1,
      isPausable: true,
      onError,
    });
    this.#finalizing = new Finalizing({
      isDeleting: ({ name, uid }) => {
        const current = feed.get(name);
        return current?.finalizing === true && current.uid === uid;
      },
      update: (name, change) => this.#update(name, change),
      removeInstances,
      onError,
    });
    feed.subscribe((name, view) => {
      if (view !== undefined) this.#queue.add(name);
      if (this.#freesNames(name, view)) this.#queueOthers(name);
    });
  }

  /** Notes the names of a definition; true if it had some that it has no longer. */
  #freesNames(name: string, view: DefinitionView | undefined): boolean {
    const before = this.#names.get(name);
    if (view === undefined) this.#names.delete(name);
    else this.#names.set(name, acceptedNames(view));
    return before !== undefined && !before.isSubsetOf(this.#names.get(name) ?? new Set());
  }

  /** Other definitions of the group may be waiting for names of this one. */
  #queueOthers(name: string): void {
    const group = name.slice(name.indexOf('.') + 1);
    for (const other of this.#feed.all()) if (other.group === group && other.name !== name) this.#queue.add(other.name);
  }

  close(): void {
    this.#queue.close();
    this.#finalizing.close();
  }

  async #sync(name: string): Promise<void> {
    if (!isSettled(this.#feed.get(name))) {
      for (const step of steps) {
        await nextSlice();
        await this.#update(name, (object) => step(object, () => this.#feed.all(), objectNowMs()));
      }
    }
    const view = this.#feed.get(name);
    if (view !== undefined) this.#finalizing.startIfDeleting(view);
  }

  /**
   * The definition from the cache. Its schemas are large, so they are left out unless `preserveUnknownFields` is set:
   * then the step for non-structural schemas reads them.
   */
  #read(name: string): KubeObject | undefined {
    const entry = this.#store.cache.get(this.#store.key('', name));
    if (entry === undefined) return undefined;
    return this.#feed.get(name)?.preserveUnknownFields === true
      ? this.#store.parse(entry)
      : parseWithoutSchemas(entry.json);
  }

  /**
   * Applies `change` and, if it changed anything, writes the status and waits until the cache has the new revision.
   * Returns false when the definition was deleted or replaced.
   */
  async #update(name: string, change: (object: KubeObject) => void): Promise<boolean> {
    const present = this.#read(name);
    if (present === undefined) return false;
    const before = changeable(present);
    change(present);
    if (changeable(present) === before) return true;
    try {
      const { entry } = await this.#store.update(
        {
          name,
          subresource: 'status',
          preconditions: { uid: present.metadata.uid ?? '' },
          leavesExisting: true,
          transform: (existing) => {
            // Writing the status never creates a definition.
            if (existing === undefined)
              throw newNotFound({ group: extensionsGroup, resource: definitionsResource }, name);
            const object = withOwnStatus(existing);
            change(object);
            return object;
          },
        },
        systemContext({ subresource: 'status' }),
      );
      await this.#store.cache.waitForRevision(entry.revision);
      return true;
    } catch (error) {
      if (hasReason(error, 'NotFound') || hasReason(error, 'Conflict')) return false;
      throw error;
    }
  }
}

/** Names of resources and of kinds do not stand in each other's way, so each is told with what it names. */
function acceptedNames({ names: { plural, singular, shortNames, kind, listKind } }: DefinitionView): Set<string> {
  return new Set([
    ...[plural, singular, ...shortNames].map((name) => `resource ${name}`),
    ...[kind, listKind].map((name) => `kind ${name}`),
  ]);
}

/** Whether the steps have nothing left to do, decided without parsing the definition. */
function isSettled(view: DefinitionView | undefined): boolean {
  return (
    view === undefined ||
    (view.established &&
      view.namesAccepted &&
      !view.nonStructural &&
      !view.preserveUnknownFields &&
      !isProtectedGroup(view.group))
  );
}

/** A shallow copy with its own metadata and status, the only parts that the steps and the clean-up change. */
function withOwnStatus(object: KubeObject): KubeObject {
  const { metadata, status } = object;
  return { ...object, metadata: { ...metadata }, ...(status === undefined ? {} : { status: cloneJson(status) }) };
}

/** The parts that the steps and the clean-up change, as text for comparison; the large schemas are left out. */
function changeable({ metadata, status }: KubeObject): string {
  return looseText([metadata.finalizers ?? null, status ?? null]);
}
