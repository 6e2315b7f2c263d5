import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { RecordedRequest } from './recorded-request.ts';

/**
 * The last value of a field that validation accepts, the first that it refuses, and the errors of the latter, each with
 * its field. `test/conformance/limits/run.ts` compares them with a reference kube-apiserver.
 */
export type Limit = readonly [field: string, accepted: JsonValue, refused: JsonValue, ...errors: string[]];

export interface LimitTable {
  /** The object in which one field at a time gets another value. */
  readonly valid: RecordedRequest;
  readonly limits: readonly Limit[];
  /** Limits of updates of the object: a field that may not change accepts its old value only. */
  readonly updates?: readonly Limit[];
  /** The generation of the object, which is 1 before, after an update of a field. */
  readonly generations?: readonly (readonly [field: string, value: JsonValue, generation: number])[];
}

/** So many items. */
export function times<T>(count: number, item: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

/** A valid request with another value at a path such as `spec.ports[0].port`, or without that field for `null`. */
export function withField(request: RecordedRequest, field: string, value: JsonValue): RecordedRequest {
  return { ...request, body: changed(request.body, field, value) };
}

/** A copy of an object with another value at a path. */
export function changed(object: JsonObject, field: string, value: JsonValue): JsonObject {
  const body = cloneJson(object);
  const steps = field.split(/\.|(?=\[)/).map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step));
  const last = steps.pop() ?? '';
  let at: JsonValue = body;
  for (const step of steps) at = memberOf(at, step);
  if (Array.isArray(at)) at[Number(last)] = value;
  else if (value === null) delete (at as JsonObject)[last];
  else setKey(at as JsonObject, String(last), value);
  return body;
}

function memberOf(parent: JsonValue, step: string | number): JsonValue {
  const member = (parent as JsonObject)[step];
  if (Array.isArray(member) || isObject(member)) return member;
  const made: JsonObject = {};
  setKey(parent as JsonObject, String(step), made);
  return made;
}
