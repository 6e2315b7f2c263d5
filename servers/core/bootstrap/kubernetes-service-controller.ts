import type { CoreContext } from '#servers/core/context/core-context.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { followPrefix, type PrefixFollower } from '#shared/follow/follow-prefix.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import { masterLeasesPrefix } from '#shared/process/master-leases.ts';
import { reconcileEndpoints } from './kubernetes-endpoints.ts';
import { ensureKubernetesService, type KubernetesServiceOptions } from './kubernetes-service.ts';

const everyMs = 10_000;
/** Waits this long before a round, since several gateways may start or stop at once. */
const settleMs = 20;

/**
 * Maintains the `kubernetes` Service and its endpoints: every ten seconds, and as soon as an API server starts or
 * stops.
 */
export class KubernetesServiceController {
  readonly #core: CoreContext;
  readonly #service: KubernetesServiceOptions;
  readonly #followsLeases: boolean;
  readonly #onError: (error: unknown) => void;
  readonly #rounds: Reconciler;
  #follower: PrefixFollower | undefined;

  /** @param followsLeases whether the endpoints are written from the leases of API servers */
  constructor(
    core: CoreContext,
    service: KubernetesServiceOptions,
    followsLeases: boolean,
    onError: (error: unknown) => void,
  ) {
    this.#core = core;
    this.#service = service;
    this.#followsLeases = followsLeases;
    this.#onError = onError;
    this.#rounds = new Reconciler({ round: () => this.#round(), everyMs, settleMs, onError });
  }

  /**
   * Resolves after the first round; rejects when it failed, and may then be called again. As in the reference,
   * endpoints that the API refuses, such as a loopback address, do not keep the server from being ready.
   */
  async start(): Promise<void> {
    await ensureKubernetesService(this.#core, this.#service);
    await this.#reconcileEndpoints().catch((error: unknown) => {
      if (!hasReason(error, 'Invalid')) throw error;
      this.#onError(error);
    });
    this.#rounds.begin();
    if (!this.#followsLeases) return;
    this.#follower = followPrefix({
      storage: this.#core.storage,
      prefix: masterLeasesPrefix,
      onChange: () => this.#rounds.request(),
      onError: this.#onError,
    });
  }

  async close(): Promise<void> {
    this.#follower?.close();
    await this.#rounds.close();
  }

  async #round(): Promise<void> {
    await ensureKubernetesService(this.#core, this.#service);
    await this.#reconcileEndpoints();
  }

  async #reconcileEndpoints(): Promise<void> {
    if (this.#followsLeases) await reconcileEndpoints(this.#core, this.#service.securePort);
  }
}
