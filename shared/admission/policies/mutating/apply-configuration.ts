import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import { formatGroupVersion, formatGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { canonicalObject } from '#shared/apimachinery/managed-fields/canonical-object.ts';
import { mergeTyped } from '#shared/apimachinery/managed-fields/merge-typed.ts';
import { viewOfSchema } from '#shared/apimachinery/managed-fields/schema-view.ts';
import { TypedValueError } from '#shared/apimachinery/managed-fields/typed-value.ts';
import { validateTyped } from '#shared/apimachinery/managed-fields/validate-typed.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { PathElement, pathText } from '#shared/apimachinery/schema/path-element.ts';
import { elementOfKey, type TypeView } from '#shared/apimachinery/schema/type-view.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { celJson, mismatchedTypeNames, NoJsonError } from '#shared/cel/uses/cel-json.ts';
import { ConstructedObject } from '#shared/cel/uses/patch-types.ts';
import type { Value } from '#shared/cel/values/value.ts';
import { MutationError } from './mutation-error.ts';

/**
 * Merges the result of an `applyConfiguration` expression into an object by the object's type
 * (apiserver/pkg/admission/plugin/policy/mutating/patch, smd.go).
 * @throws MutationError
 */
export function* applyConfiguration(
  { kind, schema, attributes }: VersionedAttributes,
  object: KubeObject,
  result: Value,
): Steps<KubeObject> {
  const configuration = configurationOf(result);
  const names = { apiVersion: formatGroupVersion(kind), kind: kind.kind };
  Object.assign(configuration, names);
  // The reference takes types from the OpenAPI document of the kind's group, which has no bodies of other groups' parts,
  // and no options of connections.
  const isElsewhere = attributes.subresource !== '' && kind.group !== attributes.resource.group;
  if (isElsewhere || attributes.operation === 'CONNECT')
    throw applyError(
      `failed to convert patch object to typed object: no corresponding type for ${formatGroupVersionKind(kind)}`,
    );
  const type = schema.custom === undefined ? viewOfSchema(schema) : schema.custom.view;
  yield* validated('failed to convert patch object to typed object', type, configuration, false);
  const atomics = findAtomics(type, configuration, []);
  if (atomics.length > 0) {
    const paths = atomics.join(', ');
    throw applyError(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths}`);
  }
  const named = { ...object, ...names };
  const live = schema.custom === undefined ? yield* canonicalObject(schema, named) : named;
  yield* validated('failed to convert original object to typed object', type, live, true);
  try {
    const { value } = yield* mergeTyped({ value: live, type }, configuration);
    return asKubeObject(isObject(value) ? value : {});
  } catch (error) {
    throw error instanceof TypedValueError ? applyError(`failed to merge patch: ${error.message}`) : error;
  }
}

function configurationOf(result: Value): JsonObject {
  if (!(result instanceof ConstructedObject))
    throw new MutationError('unsupported return type from ApplyConfiguration expression');
  const mismatches = mismatchedTypeNames(result);
  if (mismatches.length > 0) throw new MutationError(`type mismatch: ${mismatches.join('\n')}`);
  try {
    return celJson(result, 'all') as JsonObject;
  } catch (error) {
    throw error instanceof NoJsonError ? new MutationError(`invalid return type: ${error.message}`) : error;
  }
}

function applyError(text: string): MutationError {
  return new MutationError(`error applying patch: ${text}`);
}

function* validated(doing: string, type: TypeView, value: JsonValue, allowDuplicates: boolean): Steps<void> {
  const errors = yield* validateTyped({ value, type }, { allowDuplicates });
  if (errors.length > 0) throw applyError(`${doing}: ${(yield* TypedValueError.inSteps(errors)).message}`);
}

/**
 * The paths of all parts that would be replaced as a whole: fields that the configuration does not set would be lost
 * there.
 */
function findAtomics({ map, list }: TypeView, value: JsonValue, path: readonly PathElement[]): string[] {
  if (isObject(value) && map !== undefined) {
    const below = Object.keys(value).flatMap((key) => {
      const field = map.field(key);
      const type = field?.type ?? map.element;
      const element = elementOfKey(field, key);
      return type === undefined ? [] : findAtomics(type, getKey(value, key) ?? null, [...path, element]);
    });
    return map.atomic ? [pathText(path), ...below] : below;
  }
  if (Array.isArray(value) && list !== undefined) {
    const below = value.flatMap((item, at) => findAtomics(list.items, item, [...path, PathElement.index(at)]));
    return list.atomic ? [pathText(path), ...below] : below;
  }
  return [];
}
