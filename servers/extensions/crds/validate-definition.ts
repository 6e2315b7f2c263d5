import type { KnownRules } from '#servers/extensions/rules/compile-rules.ts';
import { rulesOf } from '#servers/extensions/schema/rule.ts';
import { everySchema } from '#servers/extensions/schema/schema-walk.ts';
import { structuralObstacle } from '#servers/extensions/schema/validate-openapi.ts';
import { validateStructural } from '#servers/extensions/schema/validate-structural.ts';
import { invalid, path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringMapAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Release } from '#shared/apimachinery/release-version.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';
import { apiApproval, isProtectedGroup } from './api-approval.ts';
import { conditionIs } from './conditions.ts';
import { keptConversion } from './validate-conversion.ts';
import { type Strictness, spec, validateSpec } from './validate-definition-spec.ts';
import { validateNames } from './validate-names.ts';

/**
 * Validates a new definition by the rules of apiextensions-apiserver/pkg/apis/apiextensions/validation, validation.go,
 * with the same messages. Runs in steps, since schemas may be large.
 */
export function* validateDefinition(object: KubeObject, compatibility: Release): Steps<FieldError[]> {
  const name = object.metadata.name ?? '';
  const { group, names } = { group: stringAt(object, 'spec', 'group'), names: objectAt(object, 'spec', 'names') };
  const wanted = `${stringAt(names, 'plural')}.${group}`;
  return [
    ...(name === wanted || name === ''
      ? []
      : [invalid(path('metadata', 'name'), name, 'must be spec.names.plural+"."+spec.group')]),
    ...(yield* validateSpec(object, {
      schemas: true,
      structural: true,
      compatibility,
      conversion: keptConversion(undefined),
    })),
    ...validateDefinitionStatus(object),
    ...validateStoredVersions(object),
    ...validateApproval(object, undefined),
    ...validatePreserveUnknown(object, undefined),
  ];
}

/** Validates an update. Unchanged values that an older, looser rule accepted stay allowed. */
export function* validateDefinitionUpdate(
  object: KubeObject,
  old: KubeObject,
  compatibility: Release,
): Steps<FieldError[]> {
  const before = objectsAt(old, 'spec', 'versions').map((version) => objectAt(version, 'schema', 'openAPIV3Schema'));
  const strictness: Strictness = {
    schemas: before.every((schema) => schema !== undefined),
    structural: yield* allStructural(before),
    known: yield* rulesBefore(object, old),
    compatibility,
    conversion: keptConversion(old),
  };
  const errors = yield* validateSpec(object, strictness);
  const unchanged = (keys: readonly string[]): FieldError[] =>
    validateImmutableField(stringAt(object, 'spec', ...keys), stringAt(old, 'spec', ...keys), spec.child(...keys));
  if (conditionIs(old, 'Established', 'True')) errors.push(...unchanged(['scope']), ...unchanged(['names', 'kind']));
  errors.push(...unchanged(['group']), ...unchanged(['names', 'plural']));
  return [
    ...errors,
    ...validateDefinitionStatus(object),
    ...validateStoredVersions(object),
    ...validateApproval(object, old),
    ...validatePreserveUnknown(object, old),
  ];
}

/**
 * The rules that the old definition already had. An expression of any old version counts as known in every version; the
 * cost of a version's rules counts as known only if that version's schema did not change.
 */
function* rulesBefore(object: KubeObject, old: KubeObject): Steps<(version: string) => KnownRules> {
  const expressions = new Set<string>();
  const messageExpressions = new Set<string>();
  const schemas = new Map<string, JsonObject>();
  for (const version of objectsAt(old, 'spec', 'versions')) {
    const schema = objectAt(version, 'schema', 'openAPIV3Schema');
    if (schema === undefined) continue;
    schemas.set(stringAt(version, 'name'), schema);
    for (const one of everySchema(schema)) {
      for (const { rule, messageExpression } of rulesOf(one)) {
        expressions.add(rule);
        messageExpressions.add(messageExpression);
      }
      if (sliceIsOver()) yield;
    }
  }
  const present = new Map<string, JsonObject | undefined>();
  for (const version of objectsAt(object, 'spec', 'versions')) {
    const name = stringAt(version, 'name');
    if (!present.has(name)) present.set(name, objectAt(version, 'schema', 'openAPIV3Schema'));
  }
  const rules = new Map<string, KnownRules>();
  return (name) => {
    const known = rules.get(name);
    if (known !== undefined) return known;
    const found: KnownRules = {
      expressions,
      messageExpressions,
      sameSchema: expressions.size > 0 && deepEqual(present.get(name) ?? null, schemas.get(name) ?? null),
    };
    rules.set(name, found);
    return found;
  };
}

function* allStructural(schemas: readonly (JsonObject | undefined)[]): Steps<boolean> {
  for (const schema of schemas) {
    if (schema === undefined) continue;
    if ((yield* structuralObstacle(schema)) !== undefined || (yield* validateStructural(schema, spec)).length > 0)
      return false;
  }
  return true;
}

export function validateDefinitionStatus(object: KubeObject): FieldError[] {
  return validateNames(objectAt(object, 'status', 'acceptedNames') ?? {}, path('status', 'acceptedNames'));
}

function validateStoredVersions(object: KubeObject): FieldError[] {
  const at = path('status', 'storedVersions');
  const stored = stringsAt(object, 'status', 'storedVersions');
  if (stored.length === 0) return [invalid(at, null, 'must have at least one stored version')];
  const versions = objectsAt(object, 'spec', 'versions');
  const errors: FieldError[] = [];
  const left = new Set(stored);
  const shown = [...stored];
  for (const version of versions) {
    const name = stringAt(version, 'name');
    // For a version that is listed twice the second `delete` fails, so it is reported.
    if (!left.delete(name) && version['storage'] === true)
      errors.push(invalid(at, shown, `must have the storage version ${name}`));
  }
  const names = new Set(versions.map((version) => stringAt(version, 'name')));
  stored.forEach((name, index) => {
    if (names.has(name)) return;
    errors.push(
      invalid(
        at.index(index),
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    );
  });
  return errors;
}

/** Validates the approval annotation. An update may keep a missing or invalid approval. */
function validateApproval(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  if (!isProtectedGroup(stringAt(object, 'spec', 'group'))) return [];
  const annotations = stringMapAt(object, 'metadata', 'annotations');
  const { state, message } = apiApproval(annotations);
  if (old !== undefined && apiApproval(stringMapAt(old, 'metadata', 'annotations')).state === state) return [];
  const at = path('metadata', 'annotations').key('api-approved.kubernetes.io');
  if (state === 'missing') return [required(at, message)];
  return state === 'invalid' ? [invalid(at, annotations.get('api-approved.kubernetes.io'), message)] : [];
}

function validatePreserveUnknown(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  const set = (of: KubeObject | undefined): boolean => objectAt(of, 'spec')?.['preserveUnknownFields'] === true;
  if (set(old) || !set(object)) return [];
  return [
    invalid(
      spec.child('preserveUnknownFields'),
      true,
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ),
  ];
}
