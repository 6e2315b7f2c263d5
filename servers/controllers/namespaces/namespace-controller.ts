import type { ApiClient } from '#servers/controllers/client/api-client.ts';
import type { NamespaceObject } from '#servers/controllers/client/namespace-object.ts';
import { againIfUndone, type Turns } from '#servers/controllers/work/turns.ts';
import { WorkQueue } from '#shared/follow/work-queue.ts';
import { ContentRemainsError, emptyNamespace } from './empty-namespace.ts';

/** Finalizers are often removed at once; later a namespace is looked at as often as there (half of 15 s, and one). */
const backOff = { firstMs: 25, longestMs: 8_000 };
const concurrency = 10;

export interface NamespaceControllerOptions {
  readonly client: ApiClient;
  readonly turns: Turns;
  readonly reportError: (message: string, error: unknown) => void;
}

/** Empties and removes namespaces that were deleted. */
export class NamespaceController {
  readonly #queue: WorkQueue;

  constructor({ client, turns, reportError }: NamespaceControllerOptions) {
    this.#queue = new WorkQueue({
      name: 'namespace',
      backOff,
      concurrency,
      work: (name) => againIfUndone(this.#queue, name, () => emptyNamespace(client, turns, name)),
      onError: (error) => {
        if (!(error instanceof ContentRemainsError)) reportError('a namespace cannot be emptied yet', error);
      },
    });
  }

  /** Looks at a namespace that is there or was changed. */
  take({ metadata: { name, deletionTimestamp } }: NamespaceObject): void {
    if (deletionTimestamp !== undefined) this.#queue.add(name);
  }

  close(): void {
    this.#queue.close();
  }
}
