import type { ApiClient } from '#servers/controllers/client/api-client.ts';
import type { MetaObject } from '#servers/controllers/client/meta-object.ts';
import { ResourceFollower } from '#servers/controllers/client/resource-follower.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { GarbageCollector } from './garbage-collector.ts';

/** As often as there; definitions of custom resources are told by a watch. */
const everyMs = 30_000;
/** A definition is served a moment after it is established. */
const settleMs = 250;
/** Where discovery failed. */
const againMs = 1_000;

/** Has the garbage collector follow all resources that are served, as kube-controller-manager does. */
export class FollowAll {
  readonly #rounds: Reconciler;
  readonly #definitions: ResourceFollower<MetaObject>;

  constructor(client: ApiClient, collector: GarbageCollector, reportError: (message: string, error: unknown) => void) {
    const onError = (error: unknown): void => reportError('resources of the garbage collector', error);
    this.#rounds = new Reconciler({
      settleMs,
      onError,
      async round() {
        try {
          const resources = await collector.table.read();
          for (const resource of resources) collector.follow(resource);
          collector.keepOnly(resources);
          return everyMs;
        } catch (error) {
          onError(error);
          return againMs;
        }
      },
    });
    this.#rounds.begin(0);
    this.#definitions = new ResourceFollower<MetaObject>({
      client,
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      onSet: () => this.#rounds.request(),
      onRemoved: () => this.#rounds.request(),
      onError,
    });
  }

  close(): void {
    this.#definitions.close();
    void this.#rounds.close();
  }
}
