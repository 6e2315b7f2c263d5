import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import {
  boundObjectKey,
  type TokenObjects,
  type BoundResource,
} from '#shared/authentication/service-account/bound-objects.ts';
import type { DeletionListener } from '#shared/authentication/service-account/deletion-watch.ts';

/** Objects to which tokens are bound, for unit tests: deletions are told at once, unless `isCurrent` is false. */
export class FakeBoundObjects implements TokenObjects {
  isCurrent = true;
  reads = 0;
  readonly #objects = new Map<string, KubeObject>();
  readonly #listeners = new Set<DeletionListener>();

  put(resource: BoundResource, object: JsonObject): void {
    const stored = asKubeObject(object);
    this.#objects.set(keyOf(resource, stored.metadata.namespace ?? '', stored.metadata.name ?? ''), stored);
  }

  delete(resource: BoundResource, namespace: string, name: string): void {
    const key = keyOf(resource, namespace, name);
    this.#objects.delete(key);
    if (this.isCurrent) for (const { onDeleted } of this.#listeners) onDeleted(key);
  }

  /** Deletions that were not told may have happened. */
  gap(): void {
    for (const { onGap } of this.#listeners) onGap();
  }

  read = async (resource: BoundResource, namespace: string, name: string): Promise<KubeObject | undefined> => {
    this.reads++;
    return this.#objects.get(keyOf(resource, namespace, name));
  };

  follow(listener: DeletionListener): { readonly isCurrent: boolean; close(): void } {
    this.#listeners.add(listener);
    const isCurrent = (): boolean => this.isCurrent;
    return {
      get isCurrent() {
        return isCurrent();
      },
      close: () => void this.#listeners.delete(listener),
    };
  }
}

function keyOf(resource: BoundResource, namespace: string, name: string): string {
  return boundObjectKey(resource, namespace, name) ?? '';
}
