import { setCondition, type Condition } from '#servers/extensions/crds/conditions.ts';
import { cleanupFinalizer } from '#servers/extensions/crds/definition-strategy.ts';
import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { WorkQueue } from '#shared/follow/work-queue.ts';
import { definitionBackOff } from './definition-back-off.ts';

/**
 * Deletes the custom resources of a definition and returns how many are left, for example because they still have
 * finalizers.
 */
export type RemoveInstances = (definition: DefinitionView) => Promise<number>;

export interface FinalizingOptions {
  /** Whether the definition is being deleted, as far as is known now: a rollback of the store undoes deletions. */
  readonly isDeleting: (definition: DefinitionView) => boolean;
  /** Writes a change of the definition; returns false if the definition was removed or replaced. */
  readonly update: (name: string, change: (object: KubeObject) => void) => Promise<boolean>;
  readonly removeInstances: RemoveInstances;
  readonly onError: (error: unknown) => void;
}

/**
 * How long to wait after the Terminating condition is set: creates that were admitted before it, here or in another
 * process, are stored by then.
 */
const settleMs = 200;
const recheckMs = 1000;
/** After this time without success the condition Terminating reports the failure. */
const patienceMs = 60_000;

/**
 * Deletes the custom resources of a definition that is being deleted, then removes its finalizer
 * (apiextensions-apiserver/pkg/controller/finalizer).
 */
export class Finalizing {
  readonly #options: FinalizingOptions;
  readonly #now: () => number;
  readonly #since = new Map<string, number>();
  readonly #seen = new Map<string, DefinitionView>();
  readonly #queue: WorkQueue;

  /** `now`: milliseconds by a monotonic clock. */
  constructor(options: FinalizingOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
    this.#queue = new WorkQueue({
      name: 'crd_finalizer',
      work: (name) => this.#finalize(name),
      backOff: definitionBackOff,
      concurrency: 1,
      isPausable: true,
      onError: options.onError,
    });
  }

  /** Starts the clean-up of a definition if it is being deleted, and ends that of another one that had its name. */
  startIfDeleting(definition: DefinitionView): void {
    const { name, finalizing } = definition;
    const seen = this.#seen.get(name);
    if (finalizing && seen !== undefined && seen.uid === definition.uid) return;
    this.#forget(name);
    if (!finalizing) return;
    this.#seen.set(name, definition);
    this.#queue.add(name);
  }

  close(): void {
    this.#queue.close();
  }

  async #finalize(name: string): Promise<void> {
    const definition = this.#seen.get(name);
    if (definition === undefined) return;
    if (!this.#options.isDeleting(definition)) return this.#forget(name);
    if (definition.established) await this.#removeAll(name, definition);
    else
      await this.#release(name, {
        type: 'Terminating',
        status: 'False',
        reason: 'NeverEstablished',
        message: 'resource was never established',
      });
  }

  async #removeAll(name: string, definition: DefinitionView): Promise<void> {
    if (!this.#since.has(name)) {
      const present = await this.#tell(name, {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionInProgress',
        message: 'CustomResource deletion is in progress',
      });
      if (!present) return;
      this.#since.set(name, this.#now());
      this.#queue.addAfter(name, settleMs);
      return;
    }
    let left: number;
    try {
      left = await this.#options.removeInstances(definition);
    } catch (error) {
      await this.#tell(name, {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionFailed',
        message: `could not issue all deletes: ${error instanceof Error ? error.message : String(error)}`,
      });
      throw error;
    }
    // Its deletion was undone, or another definition has its name by now.
    if (this.#seen.get(name) !== definition) return;
    if (left === 0)
      return this.#release(name, {
        type: 'Terminating',
        status: 'False',
        reason: 'InstanceDeletionCompleted',
        message: 'removed all instances',
      });
    if (this.#now() - (this.#since.get(name) ?? 0) > patienceMs) {
      await this.#tell(name, {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionCheck',
        message: 'could not confirm zero CustomResources remaining: timed out waiting for the condition',
      });
    }
    this.#queue.addAfter(name, recheckMs);
  }

  /** Removes the finalizer, which deletes the definition unless it has other finalizers. */
  async #release(name: string, condition: Condition): Promise<void> {
    await this.#options.update(name, (object) => {
      setCondition(object, condition, objectNowMs());
      object.metadata.finalizers = (object.metadata.finalizers ?? []).filter(
        (finalizer) => finalizer !== cleanupFinalizer,
      );
    });
    this.#forget(name);
  }

  /** Returns false if the definition is gone: then nothing is left to do. */
  async #tell(name: string, condition: Condition): Promise<boolean> {
    const present = await this.#options.update(name, (object) => setCondition(object, condition, objectNowMs()));
    if (!present) this.#forget(name);
    return present;
  }

  #forget(name: string): void {
    this.#seen.delete(name);
    this.#since.delete(name);
  }
}
