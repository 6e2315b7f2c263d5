import { keyBytes } from '#servers/store/mvcc/key-range.ts';
import type {
  LeaseGrantRequest,
  LeaseRevokeRequest,
  LeaseTimeToLiveRequest,
} from '#shared/storage/etcd-wire/lease-messages.ts';
import type { UnaryAnswer } from '#shared/storage/etcd-wire/service.ts';
import type { StoreServiceDependencies } from './store-service-dependencies.ts';

/** The Lease service, except for its streaming method. */
export class LeaseHandlers {
  readonly #dependencies: StoreServiceDependencies;

  constructor(dependencies: StoreServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async grant(request: LeaseGrantRequest): Promise<UnaryAnswer<'Lease/LeaseGrant'>> {
    this.#dependencies.guard.checkRoom();
    const lease = await this.#dependencies.lessor.grant(request.id ?? '0', request.ttl);
    return { header: this.#header(), id: lease.id, ttl: lease.ttl };
  }

  async revoke(request: LeaseRevokeRequest): Promise<UnaryAnswer<'Lease/LeaseRevoke'>> {
    const { guard, lessor } = this.#dependencies;
    await guard.freeing(() => lessor.revoke(request.id));
    return { header: this.#header() };
  }

  timeToLive(request: LeaseTimeToLiveRequest): UnaryAnswer<'Lease/LeaseTimeToLive'> {
    const found = this.#dependencies.lessor.timeToLive(request.id);
    if (found === undefined) return { header: this.#header(), id: request.id, ttl: -1 };
    const keys = request.keys === true ? found.keys.map(keyBytes) : [];
    return { header: this.#header(), id: request.id, ttl: found.ttl, grantedTtl: found.grantedTtl, keys };
  }

  leases(): UnaryAnswer<'Lease/LeaseLeases'> {
    return { header: this.#header(), leases: this.#dependencies.lessor.list().map((id) => ({ id })) };
  }

  #header(): ReturnType<StoreServiceDependencies['header']['at']> {
    return this.#dependencies.header.at(this.#dependencies.store.revision);
  }
}
