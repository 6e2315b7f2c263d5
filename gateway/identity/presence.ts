import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackendSet } from '#gateway/backends/backends.ts';
import { peerHostPort, peerAddress } from '#gateway/peers/peer-address.ts';
import { internalSend } from '#gateway/proxy/internal-request.ts';
import type { Facts } from '#shared/api/facts.ts';
import { limitRepeatedErrors } from '#shared/observability/limit-repeated-errors.ts';
import type { Logger } from '#shared/observability/logger.ts';
import { advertisedAddress } from '#shared/server/options/advertised-address.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import type { PreShutdownHooks } from '#shared/server/pre-shutdown-hooks.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { IdentityLease, type SendToCore } from './identity-lease.ts';
import { MasterCount } from './master-count.ts';
import { MasterLease } from './master-lease.ts';
import { removeAddress, type ApiServerAddress } from './service-addresses.ts';

const leaveWithinMs = 2_000;

export interface PresenceOptions {
  readonly options: ServerOptions;
  /** Number of this gateway on its machine, from 1. */
  readonly instance: number;
  readonly storage: Storage;
  readonly facts: Facts;
  readonly core: BackendSet;
  readonly logger: Logger;
  /** Resolves with whether all processes of the launcher end. */
  readonly isSystemEnding?: (() => Promise<boolean>) | undefined;
}

/** Announces this API server in the cluster, by its Lease and by its address behind the `kubernetes` Service. */
export class Presence {
  /** Undefined if the feature gate APIServerIdentity is off. */
  readonly identity: IdentityLease | undefined;
  readonly #address: MasterLease | MasterCount | undefined;
  #left = false;

  constructor(presence: PresenceOptions) {
    const { options, instance, core, logger } = presence;
    const ip = advertisedAddress(options);
    const tell = limitRepeatedErrors((message, error) => logger.error(message, error));
    const { gates } = featureGates(options);
    const send: SendToCore = async (method, target, object) => {
      await core.ready;
      return await internalSend(core.pool, method, target, object);
    };
    if (gates.isEnabled('APIServerIdentity')) {
      const forPeers = gates.isEnabled('UnknownVersionInteroperabilityProxy') ? peerAddress(options) : undefined;
      this.identity = new IdentityLease(
        { hostname: hostname(), instance, peerAddress: forPeers && peerHostPort(forPeers) },
        send,
        (error) => tell('the identity Lease is not current; trying again', error),
      );
    }
    if (ip === undefined) return;
    const onError = (error: unknown): void =>
      tell('the address of this server is not known to the kubernetes Service; trying again', error);
    this.#address = addressKeeper(presence, { ip, port: options.securePort }, send, onError);
    // As in the reference, the Service gets this address only when the server can handle requests.
    void core.ready.then(() => {
      if (!this.#left) this.#address?.start();
    });
  }

  /** By the reference's names. The address is taken away while this server still answers. */
  get preShutdownHooks(): PreShutdownHooks {
    return {
      'stop-kubernetes-service-controller': () => this.#leave(),
      ...(this.identity && { 'stop-kube-apiserver-identity-lease-controller': () => this.identity?.close() }),
    };
  }

  async #leave(): Promise<void> {
    this.#left = true;
    // If storage does not answer, the lease expires by itself.
    await Promise.race([this.#address?.stop(), sleep(leaveWithinMs, undefined, { ref: false })]);
  }
}

/** What keeps the address in the endpoints of the Service, by `--endpoint-reconciler-type`. */
function addressKeeper(
  { options, storage, facts, isSystemEnding }: PresenceOptions,
  address: ApiServerAddress,
  send: SendToCore,
  onError: (error: unknown) => void,
): MasterLease | MasterCount | undefined {
  if (options.endpointReconcilerType === 'none') return undefined;
  if (options.endpointReconcilerType === 'master-count')
    return new MasterCount({ address, count: options.apiserverCount, send, onError });
  const lease = new MasterLease({
    storage,
    facts,
    storageMediaType: options.storageMediaType,
    address: address.ip,
    isShared: async () => options.permitPortSharing && !(await isSystemEnding?.()),
    onLast: () => removeAddress(send, address),
    onError,
  });
  lease.removeStale().catch(onError);
  return lease;
}
