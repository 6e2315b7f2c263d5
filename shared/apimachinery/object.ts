import type { JsonObject, JsonValue } from './json/json.ts';
import { isObject } from './json/json.ts';
import type { Int64 } from './values/int64.ts';

/** `metav1.OwnerReference`. */
export interface OwnerReference extends JsonObject {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** `metav1.ManagedFieldsEntry`. */
export interface ManagedFieldsEntry extends JsonObject {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  /** RFC 3339, whole seconds. */
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}

/** `metav1.ObjectMeta` in JSON shape: an absent field means Go's zero value, times are RFC 3339 in whole seconds. */
export interface ObjectMeta extends JsonObject {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: Int64;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: Int64;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/**
 * A Kubernetes object in JSON shape, as every layer holds it: quantities and times are canonical strings, bytes are
 * base64, 64-bit integers are numbers (bigint only outside ±(2^53−1)). Decoders guarantee the declared types.
 */
export interface KubeObject extends JsonObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
}

/** `metav1.ListMeta`. */
export interface ListMeta extends JsonObject {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

/**
 * Views a decoded object as a {@link KubeObject}; gives it an empty `metadata` where it has none. It trusts the
 * decoder for the types below `metadata`.
 */
export function asKubeObject(value: JsonObject): KubeObject {
  if (!isObject(value['metadata'])) value['metadata'] = {};
  return value as KubeObject;
}

/** The object at a path of own keys; undefined where a step is missing or is not an object. */
export function objectAt(value: JsonValue | undefined, ...path: readonly string[]): JsonObject | undefined {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : undefined;
}

/** The list at a path of own keys; empty where there is none. */
export function listAt(value: JsonValue | undefined, ...path: readonly string[]): readonly JsonValue[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The objects of the list at a path; other items are left out. */
export function objectsAt(value: JsonValue | undefined, ...path: readonly string[]): readonly JsonObject[] {
  const list = listAt(value, ...path);
  return list.every((item) => isObject(item)) ? list : list.filter((item) => isObject(item));
}

/** The strings of the list at a path; other items are left out. */
export function stringsAt(value: JsonValue | undefined, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).filter((item) => typeof item === 'string');
}

/** The string at a path; empty, as Go's zero value, where there is none. */
export function stringAt(value: JsonValue | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The number at a path, which is none above 2^53 (an int32); see {@link int64At}. A bigint is rounded. */
export function numberAt(value: JsonValue | undefined, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  if (typeof found === 'bigint') return Number(found);
  return typeof found === 'number' ? found : undefined;
}

/** The int64 at a path. */
export function int64At(value: JsonValue | undefined, ...path: readonly string[]): Int64 | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' || typeof found === 'bigint' ? found : undefined;
}

/** The boolean at a path. */
export function booleanAt(value: JsonValue | undefined, ...path: readonly string[]): boolean | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'boolean' ? found : undefined;
}

/** The string values of the map at a path, as own keys; values of other types are left out. */
export function stringMapAt(value: JsonValue | undefined, ...path: readonly string[]): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  const found = objectAt(value, ...path);
  if (found === undefined) return map;
  for (const key of Object.keys(found)) {
    const item = found[key];
    if (typeof item === 'string') map.set(key, item);
  }
  return map;
}

/** The value at a path of own keys. */
export function valueAt(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const key of path) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}
