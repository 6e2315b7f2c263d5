import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { failureStatus, newBadRequest, newInternalError, StatusError } from '#shared/apimachinery/errors/status.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { goPrint, goQuote, goTypeName } from '#shared/apimachinery/text/go-format.ts';
import { isInt64 } from '#shared/apimachinery/values/int64.ts';
import type { ParentView } from '#shared/registry/rest.ts';
import { scaleObject } from '#shared/registry/scale-object.ts';
import type { DefinitionVersion } from './facts/definition-view.ts';

export type ScalePaths = NonNullable<DefinitionVersion['scale']>;

const maxInt32 = 2 ** 31 - 1;
/**
 * Marks, in a Scale that is about to be written, that the custom resource has no replicas
 * (pkg/registry/customresource/etcd.go).
 */
const notGiven = -(2 ** 31);

/** The autoscaling/v1 Scale of a custom resource, by the paths that its definition names. */
export function customScaleView(paths: ScalePaths): ParentView {
  return {
    read(parent) {
      const { scale, found, error } = scaleOf(parent, paths);
      // The reference answers a read with the plain error.
      if (error !== undefined) throw new StatusError(failureStatus(500, '', error));
      if (!found) throw newInternalError(`the spec replicas field ${goQuote(paths.specReplicasPath)} does not exist`);
      return scale;
    },
    readToWrite(parent) {
      const { scale, found, error } = scaleOf(parent, paths);
      if (error !== undefined) throw newBadRequest(error);
      return found ? scale : { ...scale, spec: { replicas: notGiven } };
    },
    write(parent, body) {
      const { spec } = body;
      const replicas = isObject(spec) ? spec['replicas'] : undefined;
      if (replicas === notGiven)
        throw newBadRequest(`the spec replicas field ${goQuote(paths.specReplicasPath)} cannot be empty`);
      setReplicas(parent, segments(paths.specReplicasPath), typeof replicas === 'number' ? replicas : 0);
      if (body.metadata.resourceVersion) parent.metadata.resourceVersion = body.metadata.resourceVersion;
      return parent;
    },
  };
}

/** Validates the replicas of the spec. */
export function validateScaleSpec(object: KubeObject, { specReplicasPath }: ScalePaths): FieldError[] {
  return validateReplicas(object, specReplicasPath);
}

/** Validates the replicas of the status and the selector. */
export function validateScaleStatus(
  object: KubeObject,
  { statusReplicasPath, labelSelectorPath }: ScalePaths,
): FieldError[] {
  const errors = validateReplicas(object, statusReplicasPath);
  if (labelSelectorPath === undefined) return errors;
  const { error } = textAt(object, labelSelectorPath);
  if (error !== undefined) errors.push(invalid(path(labelSelectorPath), '', error));
  return errors;
}

function validateReplicas(object: KubeObject, at: string): FieldError[] {
  const { value = 0, error } = integerAt(object, at);
  if (error !== undefined) return [invalid(path(at), 0, error)];
  if (value < 0) return [invalid(path(at), value, 'should be a non-negative integer')];
  return value > maxInt32 ? [invalid(path(at), value, `should be less than or equal to ${maxInt32}`)] : [];
}

interface ReadScale {
  readonly scale: KubeObject;
  /** Whether the custom resource has the replicas of the spec. */
  readonly found: boolean;
  readonly error: string | undefined;
}

function scaleOf(parent: KubeObject, paths: ScalePaths): ReadScale {
  const wanted = integerAt(parent, paths.specReplicasPath);
  const observed = integerAt(parent, paths.statusReplicasPath);
  const selector = paths.labelSelectorPath === undefined ? {} : textAt(parent, paths.labelSelectorPath);
  const scale = scaleObject(parent, {
    wanted: Number(wanted.value ?? 0),
    observed: Number(observed.value ?? 0),
    selector: selector.value ?? '',
  });
  return { scale, found: wanted.value !== undefined, error: wanted.error ?? observed.error ?? selector.error };
}

function segments(at: string): string[] {
  return at.replace(/^\./, '').split('.');
}

interface Found<T> {
  readonly value?: T;
  /** The message, worded as the accessors of Go's package `unstructured` word it. */
  readonly error?: string;
}

function integerAt(object: JsonObject, at: string): Found<number | bigint> {
  const { value, error } = nested(object, at);
  if (error !== undefined) return { error };
  if (value === undefined) return {};
  if ((typeof value === 'bigint' || typeof value === 'number') && isInt64(value)) return { value };
  return { error: accessorError(segments(at), value, 'int64') };
}

function textAt(object: JsonObject, at: string): Found<string> {
  const { value, error } = nested(object, at);
  if (error !== undefined) return { error };
  if (value === undefined || typeof value === 'string') return value === undefined ? {} : { value };
  return { error: accessorError(segments(at), value, 'string') };
}

function nested(object: JsonObject, at: string): Found<JsonValue> {
  const keys = segments(at);
  let current: JsonValue = object;
  for (const [index, key] of keys.entries()) {
    if (current === null) return {};
    if (!isObject(current))
      return { error: accessorError(keys.slice(0, index + 1), current, 'map[string]interface{}') };
    const next: JsonValue | undefined = getKey(current, key);
    if (next === undefined) return {};
    current = next;
  }
  return { value: current };
}

function accessorError(keys: readonly string[], value: JsonValue, expected: string): string {
  return `.${keys.join('.')} accessor error: ${goPrint(value)} is of the type ${goTypeName(value) || '<nil>'}, expected ${expected}`;
}

function setReplicas(parent: KubeObject, keys: readonly string[], replicas: number): void {
  let current: JsonObject = parent;
  for (const key of keys.slice(0, -1)) {
    const next = getKey(current, key);
    if (isObject(next)) current = next;
    else {
      const made: JsonObject = {};
      setKey(current, key, made);
      current = made;
    }
  }
  setKey(current, keys.at(-1) ?? '', replicas);
}
