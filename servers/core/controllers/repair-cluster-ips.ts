import { isManagedAddress, type ClusterIPs } from '#servers/core/allocation/cluster-ips.ts';
import { addressesOf } from '#servers/core/apis/core/services/service-allocation.ts';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { canonicalAddress } from '#shared/apimachinery/net/address-range.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { eachEntry } from './each-entry.ts';
import type { EventRecorder, Warning } from './event-recorder.ts';

/** An address without a Service is kept this long: its request, which ends after 60 s, may still write the Service. */
const graceMs = 60_000;

export interface ClusterIPRepairOptions {
  readonly core: CoreContext;
  readonly clusterIPs: ClusterIPs;
  readonly recorder: Pick<EventRecorder, 'warn'>;
  /** A monotonic clock in milliseconds: with a wall clock, a step could release addresses too early. */
  readonly now?: () => number;
}

/**
 * Keeps IPAddress objects consistent with Services (pkg/registry/core/service/ipallocator/controller/repairip.go):
 * creates a missing IPAddress for an address of a Service, and deletes an IPAddress that no Service holds. Several
 * servers may run it at once.
 */
export class ClusterIPRepair {
  readonly #core: CoreContext;
  readonly #clusterIPs: ClusterIPs;
  readonly #recorder: Pick<EventRecorder, 'warn'>;
  readonly #now: () => number;
  /** When an IPAddress was first seen without its Service, by uid. */
  #orphanSince = new Map<string, number>();

  constructor({ core, clusterIPs, recorder, now = () => performance.now() }: ClusterIPRepairOptions) {
    this.#core = core;
    this.#clusterIPs = clusterIPs;
    this.#recorder = recorder;
    this.#now = now;
  }

  /** Resolves with the milliseconds until possible orphans must be checked again; undefined if there are none. */
  async round(): Promise<number | undefined> {
    const services = this.#core.store('', 'services');
    const addresses = this.#core.store('networking.k8s.io', 'ipaddresses');
    await services.cache.waitForCurrent();
    const held = services.cache.snapshot();
    // This state is newer than that of the Services, and an address is allocated before its Service is written.
    await addresses.cache.waitForCurrent();
    await eachEntry(held.entries('/'), (entry) => this.#checkService(services.parse(entry)));
    const taken = addresses.cache.snapshot();
    await services.cache.waitForCurrent();
    const orphans = new Map<string, number>();
    await eachEntry(taken.entries('/'), (entry) => this.#checkAddress(addresses.parse(entry), orphans));
    this.#orphanSince = orphans;
    return orphans.size === 0 ? undefined : graceMs;
  }

  /** Checks a written Service if no IPAddress exists for its first address. */
  async checkWritten(entry: CacheEntry): Promise<void> {
    const ip = entry.fields?.['spec.clusterIP'] ?? '';
    if (ip === '' || ip === 'None' || this.#isTaken(ip)) return;
    const addresses = this.#core.store('networking.k8s.io', 'ipaddresses');
    // An address is allocated before its Service is written, so a current cache has it.
    await addresses.cache.waitForCurrent();
    if (!this.#isTaken(ip)) await this.#checkService(this.#core.store('', 'services').parse(entry));
  }

  #isTaken(ip: string): boolean {
    const addresses = this.#core.store('networking.k8s.io', 'ipaddresses');
    return addresses.cache.isReady() && addresses.cache.get(addresses.key('', canonicalAddress(ip))) !== undefined;
  }

  async #checkService(service: KubeObject): Promise<void> {
    for (const ip of addressesOf(service)) {
      const { name = '', namespace = '' } = service.metadata;
      const family = ip.includes(':') ? 'IPv6' : 'IPv4';
      if (!(await this.#clusterIPs.isInRange(ip))) {
        await this.#warn(
          service,
          'ClusterIPOutOfRange',
          `Cluster IP [${family}]: ${ip} is not within any configured Service CIDR; please recreate service`,
        );
        continue;
      }
      const address = this.#cached('networking.k8s.io', 'ipaddresses', '', canonicalAddress(ip));
      if (address === undefined) {
        if (!(await this.#isPresent(service))) return;
        await this.#warn(service, 'ClusterIPNotAllocated', `Cluster IP [${family}]: ${ip} is not allocated; repairing`);
        await this.#clusterIPs.register(service, ip, systemContext());
      } else if (!belongsTo(address, service)) {
        const other = this.#parentOf(address);
        if (other !== undefined && holds(other, address)) {
          await this.#warn(
            service,
            'ClusterIPAlreadyAllocated',
            `Cluster IP [${family}]:${ip} was assigned to multiple services; please recreate service`,
          );
          continue;
        }
        await this.#warn(
          service,
          'ClusterIPNotAllocated',
          `the ClusterIP [${family}]: ${ip} for Service ${namespace}/${name} has a wrong reference; repairing`,
        );
        await this.#replace(address, service);
      } else if (!isManagedAddress(address)) {
        await this.#replace(address, service);
      }
    }
  }

  /** Checks an IPAddress that the allocator created; other programs may use IPAddresses of their own. */
  async #checkAddress(address: KubeObject, orphans: Map<string, number>): Promise<void> {
    if (!isManagedAddress(address)) return;
    const { name = '', uid = '' } = address.metadata;
    const parent = objectAt(address, 'spec', 'parentRef');
    if (stringAt(parent, 'group') !== '' || stringAt(parent, 'resource') !== 'services') {
      await this.#warnOfAddress(
        address,
        'IPAddressNotAllocated',
        `IPAddress ${name} appears to have been modified, not referencing a Service: cleaning up`,
      );
      return this.#release(address);
    }
    const service = this.#parentOf(address);
    if (service !== undefined && holds(service, address)) return;
    const since = this.#orphanSince.get(uid) ?? this.#now();
    if (this.#now() - since < graceMs) return void orphans.set(uid, since);
    const owner = `${stringAt(parent, 'namespace')}/${stringAt(parent, 'name')}`;
    if (service === undefined)
      await this.#warnOfAddress(
        address,
        'IPAddressNotAllocated',
        `IPAddress: ${name} for Service ${owner} appears to have leaked: cleaning up`,
      );
    else
      await this.#warnOfAddress(
        address,
        'IPAddressWrongReference',
        `IPAddress: ${name} for Service ${owner} has a wrong reference; cleaning up`,
      );
    await this.#release(address);
  }

  /**
   * Whether the Service still exists. If it is deleted just after this check, its IPAddress becomes an orphan, which a
   * later round deletes.
   */
  async #isPresent(service: KubeObject): Promise<boolean> {
    await this.#core.store('', 'services').cache.waitForCurrent();
    const present = this.#cached('', 'services', service.metadata.namespace ?? '', service.metadata.name ?? '');
    return present?.metadata.uid === service.metadata.uid;
  }

  async #replace(address: KubeObject, service: KubeObject): Promise<void> {
    if (!(await this.#isPresent(service))) return;
    await this.#release(address);
    await this.#clusterIPs.register(service, address.metadata.name ?? '', systemContext());
  }

  async #release(address: KubeObject): Promise<void> {
    const { name = '', uid = '' } = address.metadata;
    try {
      await this.#core
        .store('networking.k8s.io', 'ipaddresses')
        .delete(name, { preconditions: { uid } }, systemContext());
    } catch (error) {
      // Another server has already deleted it.
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) throw error;
    }
  }

  #parentOf(address: KubeObject): KubeObject | undefined {
    const parent = objectAt(address, 'spec', 'parentRef');
    return this.#cached('', 'services', stringAt(parent, 'namespace'), stringAt(parent, 'name'));
  }

  #cached(group: string, resource: string, namespace: string, name: string): KubeObject | undefined {
    const store = this.#core.store(group, resource);
    const entry = store.cache.get(store.key(namespace, name));
    return entry === undefined ? undefined : store.parse(entry);
  }

  #warn(service: KubeObject, reason: string, note: string): Promise<void> {
    return this.#tell(service, { reason, action: 'ClusterIPAllocation', note });
  }

  #warnOfAddress(address: KubeObject, reason: string, note: string): Promise<void> {
    return this.#tell(address, { reason, action: 'IPAddressAllocation', note });
  }

  /** A failure to write the Event must not stop the repair. */
  async #tell(object: KubeObject, warning: Warning): Promise<void> {
    await this.#recorder.warn(object, warning).catch(() => undefined);
  }
}

function belongsTo(address: KubeObject, service: KubeObject): boolean {
  const parent = objectAt(address, 'spec', 'parentRef');
  const { name, namespace } = service.metadata;
  return (
    stringAt(parent, 'group') === '' &&
    stringAt(parent, 'resource') === 'services' &&
    stringAt(parent, 'namespace') === namespace &&
    stringAt(parent, 'name') === name
  );
}

function holds(service: KubeObject, address: KubeObject): boolean {
  return addressesOf(service).some((ip) => canonicalAddress(ip) === address.metadata.name);
}
