import { setTimeout as sleep } from 'node:timers/promises';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { NotYetUsableError } from '#shared/configuration/reloaded-configuration.ts';
import { faultsOf, graceMs } from './kms-health.ts';
import type { OpenedKms } from './providers/opened-providers.ts';
import type { ResourceTransformers } from './resource-transformers.ts';

const askEveryMs = 100;
const leastPatienceMs = 10_000;

/** The transformers in effect, which a reload replaces as a whole. */
export class ReloadedTransformers {
  readonly #open: (bytes: Uint8Array) => ResourceTransformers;
  readonly #ended = new AbortController();
  readonly #replaced = new Set<ResourceTransformers>();
  #current: ResourceTransformers;

  /** @param open reads contents of the file, and throws a ConfigurationError */
  constructor(open: (bytes: Uint8Array) => ResourceTransformers, bytes: Uint8Array) {
    this.#open = open;
    this.#current = open(bytes);
  }

  get current(): ResourceTransformers {
    return this.#current;
  }

  get kms(): readonly OpenedKms[] {
    return this.#current.kms;
  }

  /** Counts from now on the reloads that take away what values of the resource could be decrypted by. */
  countLosses(resource: GroupResource): () => number {
    let keys = this.#current.keys;
    let count = 0;
    return () => {
      const present = this.#current.keys;
      if (present === keys) return count;
      if (!keys.areIn(present, resource)) count++;
      keys = present;
      return count;
    };
  }

  /**
   * Puts new contents of the file into effect once all KMS plugins that they name are healthy.
   * @throws ConfigurationError
   */
  async replace(bytes: Uint8Array): Promise<true> {
    const next = this.#open(bytes);
    try {
      await this.#untilHealthy(next.kms);
    } catch (error) {
      next.close();
      throw error;
    }
    const previous = this.#current;
    this.#current = next;
    this.#replaced.add(previous);
    const end = (): void => {
      this.#replaced.delete(previous);
      previous.close();
    };
    setTimeout(end, graceMs(previous.kms)).unref();
    return true;
  }

  close(): void {
    this.#ended.abort();
    for (const transformers of [this.#current, ...this.#replaced]) transformers.close();
  }

  async #untilHealthy(kms: readonly OpenedKms[]): Promise<void> {
    const end = performance.now() + Math.max(leastPatienceMs, graceMs(kms));
    for (;;) {
      const fault = await faultsOf(kms);
      if (fault === undefined) return;
      if (this.#ended.signal.aborted || performance.now() > end)
        throw new NotYetUsableError(`health check for new transformers failed: ${fault}`);
      await sleep(askEveryMs, undefined, { ref: false });
    }
  }
}
