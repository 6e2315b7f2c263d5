import type { CoreContext } from '#servers/core/context/core-context.ts';
import { drawBelow } from '#shared/apimachinery/chance/draw.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import {
  addressToNumber,
  canonicalAddress,
  familyOf,
  formatRange,
  numberToAddress,
  parseRange,
  usableBounds,
  type AddressRange,
} from '#shared/apimachinery/net/address-range.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { ClusterIPMetrics, type AllocationScope, type HeldAddresses } from './cluster-ip-metrics.ts';

type Family = AddressRange['family'];

const group = 'networking.k8s.io';
/** What an allocation is counted as. */
interface CountedAllocation {
  readonly range: AddressRange;
  readonly scope: AllocationScope;
  /** By `performance.now()`; default: now. */
  readonly startedMs?: number;
}

/** How many free addresses one allocation tries before it gives up. */
const maxTries = 4096;

/** An address or port could not be allocated; `text` is the reference's message. */
export class AllocationError extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'AllocationError';
  }
}

/** The range has no free address or port, which is not the client's fault. */
export class RangeFullError extends AllocationError {
  constructor() {
    super('range is full');
  }
}

/**
 * Cluster addresses of Services, each held by an IPAddress object (KEP-1880). Creating that object is the transaction:
 * if several servers choose the same address, only one of them succeeds.
 */
export class ClusterIPs {
  readonly #core: CoreContext;
  readonly #flagRanges: readonly string[];
  readonly metrics = new ClusterIPMetrics(() => this.#held());

  constructor(core: CoreContext, flagRanges: readonly string[]) {
    this.#core = core;
    this.#flagRanges = flagRanges;
  }

  /** Families of the cluster, the primary one first. */
  families(): Family[] {
    return this.#flagRanges.map((cidr) => parseRange(cidr)?.family ?? 'IPv4');
  }

  /** Takes the given address. Throws {@link AllocationError}. */
  async take(service: KubeObject, address: string, context: OperationContext): Promise<void> {
    if (context.dryRun) return this.#seeWhether(address);
    const range = await this.#rangeOf(address);
    if (range === undefined) throw new AllocationError('the provided network does not match the current range');
    if (!(await this.#registerCounted(service, address, context, { range, scope: 'static' })))
      throw new AllocationError('provided IP is already allocated');
  }

  /** A dry run only checks the range, not whether the address is free (ipallocator.go, allocateService). */
  async #seeWhether(address: string): Promise<void> {
    if (await this.isInRange(address)) return;
    const range = await this.#firstRange(familyOf(address));
    throw new AllocationError(
      `the provided IP (${canonicalAddress(address)}) is not in the valid range. The range of valid IPs is ${formatRange(range)}`,
    );
  }

  /** Whether the address lies in a ServiceCIDR from which addresses may be allocated. */
  async isInRange(address: string): Promise<boolean> {
    return (await this.#rangeOf(address)) !== undefined;
  }

  async #rangeOf(address: string): Promise<AddressRange | undefined> {
    const known = rangeWith(await this.#ranges(), address);
    if (known !== undefined) return known;
    // A ServiceCIDR that has just become ready may not be in the cache yet.
    await this.#cidrs().waitForCurrent();
    return rangeWith(await this.#ranges(), address);
  }

  /**
   * Takes a free address of the family, from the upper part of a range first: the lower part is for addresses that
   * clients choose (KEP-3070). A dry run shows the network's own address, which no Service gets. Throws
   * {@link RangeFullError}.
   */
  async takeAny(service: KubeObject, family: Family, context: OperationContext): Promise<string> {
    if (context.dryRun) return numberToAddress((await this.#firstRange(family)).first, family);
    const known = await this.#ranges();
    const address = await this.#takeFrom(service, family, known, context);
    if (address !== undefined) return address;
    await this.#cidrs().waitForCurrent();
    const before = new Set(known.map(({ cidr }) => cidr));
    const fromNewRanges = await this.#takeFrom(
      service,
      family,
      (await this.#ranges()).filter(({ cidr }) => !before.has(cidr)),
      context,
    );
    if (fromNewRanges === undefined) throw new RangeFullError();
    return fromNewRanges;
  }

  async #takeFrom(
    service: KubeObject,
    family: Family,
    ranges: readonly AddressRange[],
    context: OperationContext,
  ): Promise<string | undefined> {
    const store = this.#core.store(group, 'ipaddresses');
    await store.cache.ready();
    let tries = 0;
    const startedMs = performance.now();
    for (const range of ranges.filter((candidate) => candidate.family === family)) {
      for (const value of candidates(range)) {
        const address = numberToAddress(value, family);
        if (store.cache.get(store.key('', address))) continue;
        if (await this.#registerCounted(service, address, context, { range, scope: 'dynamic', startedMs }))
          return address;
        if ((tries += 1) > maxTries) break;
      }
      this.metrics.refused(range, 'dynamic');
    }
    return undefined;
  }

  async release(address: string, context: OperationContext): Promise<void> {
    try {
      await this.#core.store(group, 'ipaddresses').delete(canonicalAddress(address), {}, { ...context, namespace: '' });
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }

  /** Creates the IPAddress object that holds an address for the Service; false if there is one already. */
  async register(service: KubeObject, address: string, context: OperationContext): Promise<boolean> {
    const { name = '', namespace = '' } = service.metadata;
    const object: KubeObject = {
      apiVersion: `${group}/v1`,
      kind: 'IPAddress',
      metadata: { name: canonicalAddress(address), labels: labelsOf(address) },
      spec: { parentRef: { resource: 'services', namespace, name } },
    };
    try {
      await this.#core.store(group, 'ipaddresses').create(object, {
        ...context,
        namespace: '',
        // The address is the server's own, whoever writes the Service.
        fieldManager: 'kube-apiserver',
      });
      return true;
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return false;
      throw hasReason(error, 'Invalid') ? new AllocationError(error.status.message ?? '') : error;
    }
  }

  /** As {@link register}, and counts the allocation. */
  async #registerCounted(
    service: KubeObject,
    address: string,
    context: OperationContext,
    { range, scope, startedMs = performance.now() }: CountedAllocation,
  ): Promise<boolean> {
    let isTaken = false;
    try {
      isTaken = await this.register(service, address, context);
      return isTaken;
    } finally {
      if (isTaken) this.metrics.allocated(range, scope, startedMs);
      else this.metrics.refused(range, scope);
    }
  }

  /** What the metrics count; nothing is waited for. */
  async #held(): ReturnType<HeldAddresses> {
    const { cache } = this.#core.store(group, 'ipaddresses');
    if (!cache.isReady() || !this.#cidrs().isReady()) return undefined;
    return { ranges: await this.#ranges(), names: namesOf(cache.snapshot().entries('/')) };
  }

  #cidrs(): WatchCache {
    return this.#core.caches.cache(group, 'servicecidrs');
  }

  /** The first range of the family, which a dry run allocates from. Throws {@link AllocationError} if there is none. */
  async #firstRange(family: Family): Promise<AddressRange> {
    const range = (await this.#ranges()).find((candidate) => candidate.family === family);
    if (range === undefined) throw new AllocationError('allocator not ready');
    return range;
  }

  /** The ranges of ready ServiceCIDRs, and those of the flag. */
  async #ranges(): Promise<AddressRange[]> {
    const cache = this.#cidrs();
    await cache.ready();
    const cidrs: string[] = [];
    for (const entry of cache.snapshot().entries('/')) {
      const object = this.#core.caches.parse(entry);
      if (isReady(object) && !object.metadata.deletionTimestamp) cidrs.push(...stringsAt(object, 'spec', 'cidrs'));
    }
    return [...new Set([...cidrs, ...this.#flagRanges])].map(parseRange).filter((range) => range !== undefined);
  }
}

/**
 * Whether a ServiceCIDR can be used. One without the condition Ready counts as ready, since there may be no
 * controller-manager (ipallocator/cidrallocator.go, isReady).
 */
function isReady(serviceCidr: KubeObject): boolean {
  const condition = objectsAt(objectAt(serviceCidr, 'status'), 'conditions').find(
    (candidate) => stringAt(candidate, 'type') === 'Ready',
  );
  return condition === undefined || stringAt(condition, 'status') === 'True';
}

function rangeWith(ranges: readonly AddressRange[], address: string): AddressRange | undefined {
  const value = addressToNumber(address);
  const family = familyOf(address);
  return ranges.find((range) => {
    const { low, high } = usableBounds(range);
    return range.family === family && value >= low && value <= high;
  });
}

function* namesOf(entries: Iterable<CacheEntry>): Iterable<string> {
  for (const { name } of entries) yield name;
}

/** Whether this allocator created the object, and its labels are unchanged. */
export function isManagedAddress(address: KubeObject): boolean {
  const { name = '', labels } = address.metadata;
  return Object.entries(labelsOf(name)).every(([key, value]) => getKey(labels, key) === value);
}

function labelsOf(address: string): Record<string, string> {
  return {
    'ipaddress.kubernetes.io/ip-family': familyOf(address),
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  };
}

/** Each usable address once: the upper part from a random start with wrap-around, then the lower part. */
function* candidates(range: AddressRange): Iterable<bigint> {
  const { low, high } = usableBounds(range);
  const size = high - low + 1n;
  const reserved = size < 16n ? 0n : clamp(size / 16n, 16n, 256n);
  const upper = size - reserved;
  const offset = upper > 0n ? BigInt(drawBelow(Number(clamp(upper, 1n, 2n ** 40n)), 'cluster IPs')) : 0n;
  for (let step = 0n; step < upper; step += 1n) yield low + reserved + ((offset + step) % upper);
  for (let step = 0n; step < reserved; step += 1n) yield low + step;
}

function clamp(value: bigint, low: bigint, high: bigint): bigint {
  return value < low ? low : value > high ? high : value;
}
