import { loadFacts } from '#shared/api/load-facts.ts';
import { getKey, isObject } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeStored } from '#shared/serializer/stored.ts';

/** What the model knows of an object. */
export interface StoredObject {
  /** Of the write that made it; empty for objects of the system itself. */
  readonly mark: string;
  /** The mark is not the same everywhere: half of a write. */
  readonly torn: boolean;
  readonly color: string;
  /** Cluster addresses and node ports of a Service. */
  readonly addresses: readonly string[];
  /** It was there when the test began, or is not the test's. */
  readonly kind: string;
}

const facts = loadFacts();

export function readStored(value: Uint8Array): StoredObject {
  try {
    return describeObject(atOnce(decodeStored(facts, value)).object);
  } catch {
    // Keys of the system that hold no objects, such as allocations.
    return { mark: '', torn: false, color: '', addresses: [], kind: '' };
  }
}

/** Of a served or a stored object. */
export function describeObject(object: JsonObject): StoredObject {
  const mark = textAt(object, 'metadata', 'annotations', 'mark');
  const second =
    textAt(object, 'data', 'mark') || textAt(object, 'spec', 'mark') || textAt(object, 'spec', 'selector', 'mark');
  const kind = textAt(object, 'kind');
  return {
    mark,
    torn: mark !== second,
    color: textAt(object, 'metadata', 'labels', 'color'),
    addresses: kind === 'Service' ? addressesOf(object) : [],
    kind,
  };
}

function addressesOf(service: JsonObject): string[] {
  const address = textAt(service, 'spec', 'clusterIP');
  const ports = isObject(service['spec']) && Array.isArray(service['spec']['ports']) ? service['spec']['ports'] : [];
  const nodePorts = ports
    .map((port) => (isObject(port) && typeof port['nodePort'] === 'number' ? port['nodePort'] : 0))
    .filter((port) => port !== 0);
  return [...(address === '' || address === 'None' ? [] : [address]), ...nodePorts.map((port) => `node port ${port}`)];
}

function textAt(object: JsonObject, ...path: readonly string[]): string {
  let value: JsonValue | undefined = object;
  for (const key of path) value = isObject(value) ? getKey(value, key) : undefined;
  return typeof value === 'string' ? value : '';
}
