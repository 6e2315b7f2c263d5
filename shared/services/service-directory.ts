import { booleanAt, listAt, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import type { CacheEntry, WatchCache } from '#shared/watchcache/watch-cache.ts';

/** The stored objects of one resource. */
export interface ServiceObjects {
  readonly cache: WatchCache;
  /** The key of an object, or of all objects of a namespace. */
  key(namespace: string, name?: string): string;
  parse(entry: CacheEntry): KubeObject;
}

/** The fields of a Service that routing uses. */
export interface ServiceView {
  readonly type: string;
  readonly clusterIP: string;
  readonly externalName: string;
  readonly ipFamilies: readonly string[];
  readonly ports: readonly { readonly name: string; readonly port: number }[];
}

/** The fields of an EndpointSlice that routing uses. Ports without a number are left out. */
export interface EndpointSliceView {
  readonly addressType: string;
  readonly ports: readonly { readonly name: string; readonly port: number }[];
  /** The first address of each ready endpoint. */
  readonly ready: readonly string[];
}

const serviceNameLabel = 'kubernetes.io/service-name';

/**
 * The requested Services and their EndpointSlices, kept in parsed form until they change. {@link ready} starts the
 * underlying caches, so that a process that calls no Service does not hold them.
 */
export class ServiceDirectory {
  readonly #services: ServiceObjects;
  readonly #slices: ServiceObjects;
  readonly #onChange: (namespace: string, name: string) => void;
  readonly #knownServices = new Map<string, ServiceView | undefined>();
  readonly #knownSlices = new Map<string, readonly EndpointSliceView[]>();
  #followers: readonly CacheFollower[] | undefined;

  /** `onChange` is called with a Service that changed or whose endpoints did; an empty name stands for all Services. */
  constructor(services: ServiceObjects, slices: ServiceObjects, onChange: (namespace: string, name: string) => void) {
    this.#services = services;
    this.#slices = slices;
    this.#onChange = onChange;
  }

  /** The first call starts the caches. Rejects when storage cannot be read; a later call tries again. */
  async ready(): Promise<void> {
    this.#followers ??= [
      this.#follow(this.#services, (entry) => entry.name, this.#knownServices),
      this.#follow(this.#slices, (entry) => entry.labels?.[serviceNameLabel] ?? '', this.#knownSlices),
    ];
    await Promise.all(this.#followers.map((follower) => follower.ready()));
  }

  /** Returns a Service; throws until {@link ready} has resolved. */
  service(namespace: string, name: string): ServiceView | undefined {
    if (this.#followers?.every((follower) => follower.isReady()) !== true)
      throw new Error('services are not known yet');
    const key = `${namespace}/${name}`;
    if (this.#knownServices.has(key)) return this.#knownServices.get(key);
    const entry = this.#services.cache.get(this.#services.key(namespace, name));
    const view = entry === undefined ? undefined : serviceView(this.#services.parse(entry));
    this.#knownServices.set(key, view);
    return view;
  }

  endpointSlices(namespace: string, service: string): readonly EndpointSliceView[] {
    const key = `${namespace}/${service}`;
    let known = this.#knownSlices.get(key);
    if (known === undefined) {
      const entries = [...this.#slices.cache.snapshot().entries(this.#slices.key(namespace))];
      known = entries
        .filter((entry) => entry.labels?.[serviceNameLabel] === service)
        .map((entry) => sliceView(this.#slices.parse(entry)));
      this.#knownSlices.set(key, known);
    }
    return known;
  }

  close(): void {
    for (const follower of this.#followers ?? []) follower.close();
  }

  #follow(store: ServiceObjects, serviceOf: (entry: CacheEntry) => string, known: Map<string, unknown>): CacheFollower {
    const forget = (entry: CacheEntry): void => {
      const service = serviceOf(entry);
      if (service === '') return;
      known.delete(`${entry.namespace}/${service}`);
      this.#onChange(entry.namespace, service);
    };
    const follower = new CacheFollower({
      cache: store.cache,
      prefix: store.key(''),
      onState: () => {
        if (!follower.isReady()) return;
        // The events in between were missed, so any Service may have changed.
        known.clear();
        this.#onChange('', '');
      },
      onEvents: (events) => {
        for (const { entry, previous } of events) {
          forget(entry);
          if (previous !== undefined && serviceOf(previous) !== serviceOf(entry)) forget(previous);
        }
      },
    });
    return follower;
  }
}

function serviceView(object: KubeObject): ServiceView {
  const spec = objectAt(object, 'spec');
  return {
    type: stringAt(spec, 'type'),
    clusterIP: stringAt(spec, 'clusterIP'),
    externalName: stringAt(spec, 'externalName'),
    ipFamilies: stringsAt(spec, 'ipFamilies'),
    ports: objectsAt(spec, 'ports').map((port) => ({
      name: stringAt(port, 'name'),
      port: numberAt(port, 'port') ?? 0,
    })),
  };
}

function sliceView(object: KubeObject): EndpointSliceView {
  const ready = objectsAt(object, 'endpoints').filter(
    (endpoint) => booleanAt(endpoint, 'conditions', 'ready') !== false,
  );
  return {
    addressType: stringAt(object, 'addressType'),
    ports: objectsAt(object, 'ports').flatMap((port) => {
      const number = numberAt(port, 'port');
      // The reference matches no port of a Service with a port that lacks a name; the API sets an empty name by
      // default.
      return number === undefined || typeof port['name'] !== 'string' ? [] : [{ name: port['name'], port: number }];
    }),
    ready: ready.flatMap((endpoint) => {
      const [address] = listAt(endpoint, 'addresses');
      return typeof address === 'string' ? [address] : [];
    }),
  };
}
