import { setTimeout as sleep } from 'node:timers/promises';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { ProcessOptions } from '#shared/process/data-directory.ts';
import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import type { PreShutdownHooks } from '#shared/server/pre-shutdown-hooks.ts';
import type { Backends } from './backends/open-backends.ts';
import { Presence } from './identity/presence.ts';
import type { Leadership } from './leader-election/leadership.ts';
import { openLeaderElection } from './leader-election/open-leader-election.ts';
import type { Routing } from './open-routing.ts';
import { openPeers, type PeerParts } from './peers/open-peers.ts';

/** If storage or core does not answer, the key and the lease of this server expire by themselves. */
const leaveWithinMs = 2_000;

export interface ClusterMembershipSurroundings {
  readonly process: ProcessOptions;
  readonly caches: ResourceCaches;
  readonly backends: Backends;
  readonly routing: Routing;
  /** Resolves with whether all processes of the launcher end. */
  readonly isSystemEnding?: (() => Promise<boolean>) | undefined;
}

/** This server as one of the API servers of the cluster: how others see it, and what it does with them. */
export class ClusterMembership {
  readonly peers: PeerParts | undefined;
  readonly #presence: Presence;
  readonly #leaderElection: Leadership | undefined;
  readonly #backends: Backends;

  constructor(dependencies: ServerDependencies, surroundings: ClusterMembershipSurroundings) {
    const { process, caches, backends, routing, isSystemEnding } = surroundings;
    const { instance = 1 } = process;
    this.#backends = backends;
    this.#presence = new Presence({ ...dependencies, instance, core: backends.core, isSystemEnding });
    this.#leaderElection = openLeaderElection({ ...dependencies, caches, core: backends.core });
    this.peers = openPeers(dependencies, {
      instance,
      caches,
      core: backends.core.pool,
      routes: routing.routes,
      own: routing.merger,
    });
  }

  /** Post-start hooks by the reference's names. */
  get postStartHooks(): Record<string, () => Promise<void>> {
    const { identity } = this.#presence;
    const election = this.#leaderElection;
    return {
      ...(identity && {
        'start-kube-apiserver-identity-lease-controller': async () => identity.start(),
        'start-kube-apiserver-identity-lease-garbage-collector': async () => identity.startCollecting(),
      }),
      ...(election && { 'start-kube-apiserver-coordinated-leader-election-controller': async () => election.start() }),
      ...this.#peerHooks(),
    };
  }

  /** By the reference's names. Addresses are taken away while this server still answers. */
  get preShutdownHooks(): PreShutdownHooks {
    const { peers } = this;
    return {
      ...this.#presence.preShutdownHooks,
      ...(peers && {
        'peer-endpoint-reconciler-controller': () =>
          Promise.race([peers.announcement?.close(), sleep(leaveWithinMs, undefined, { ref: false })]),
      }),
    };
  }

  metrics(): readonly Family[] {
    return this.peers?.metrics() ?? [];
  }

  /** Leaves the elections to another server. */
  async resign(): Promise<void> {
    await Promise.race([this.#leaderElection?.close(), sleep(leaveWithinMs, undefined, { ref: false })]);
  }

  close(): void {
    void this.peers?.peers?.close();
  }

  #peerHooks(): Record<string, () => Promise<void>> {
    if (this.peers === undefined) return {};
    const { announcement, peers } = this.peers;
    const { core, extensions } = this.#backends;
    return {
      // Others send requests from then on.
      'peer-endpoint-reconciler-controller': async () =>
        void Promise.all([core.ready, extensions.ready]).then(() => announcement?.start()),
      ...(peers && {
        'mixed-version-proxy-handler': () => peers.synced(),
        'local-discovery-cache-sync': () => peers.startLocal(),
        'peer-discovery-workers': () => peers.startPeers(),
      }),
    };
  }
}
