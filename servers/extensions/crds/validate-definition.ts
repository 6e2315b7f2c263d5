import {
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '../../../shared/apimachinery/field-error.ts';
import { getKey, type JsonObject } from '../../../shared/apimachinery/json.ts';
import { validateImmutableField } from '../../../shared/apimachinery/meta-validation.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '../../../shared/apimachinery/names.ts';
import {
  objectAt,
  objectsAt,
  stringAt,
  stringMapAt,
  stringsAt,
  type KubeObject,
} from '../../../shared/apimachinery/object.ts';
import { deepEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { sliceIsOver, type Steps } from '../../../shared/apimachinery/slices.ts';
import type { KnownRules } from '../rules/definition-rules.ts';
import { rulesOf } from '../schema/rule.ts';
import { everySchema, isSet } from '../schema/schema-walk.ts';
import { structuralObstacle } from '../schema/validate-openapi.ts';
import { validateStructural } from '../schema/validate-structural.ts';
import { apiApproval, isProtectedGroup } from './api-approval.ts';
import { conditionIs } from './conditions.ts';
import { internalSpec, printedVersions } from './internal-definition.ts';
import { validateConversion } from './validate-conversion.ts';
import { validateNames, validateRequiredNames } from './validate-names.ts';
import {
  validateColumns,
  validateDeprecation,
  validateSchemaPart,
  validateSelectableFields,
  validateSubresources,
  type SchemaRules,
} from './validate-version-parts.ts';
import type { Release } from '../../../shared/apimachinery/release-version.ts';

const spec = path('spec');

interface Strictness {
  /** Schemas must be there. */
  readonly schemas: boolean;
  /** Schemas must be structural. */
  readonly structural: boolean;
  /** The expressions of a version that the old definition had already. */
  readonly known?: (version: string) => KnownRules;
  /** New validation rules have to work with this release. */
  readonly compatibility: Release;
}

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
    ...(yield* validateSpec(object, { schemas: true, structural: true, compatibility })),
    ...validateDefinitionStatus(object),
    ...validateStoredVersions(object),
    ...validateApproval(object, undefined),
    ...validatePreserveUnknown(object, undefined),
  ];
}

/** Definitions that were accepted before a rule became stricter may keep what they have. */
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
 * What was already accepted: an expression of any version of the old definition counts as known in every version; the
 * cost of a version's rules counts as known only where that version's schema did not change.
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
  return (name) => {
    const version = objectsAt(object, 'spec', 'versions').find((one) => stringAt(one, 'name') === name);
    return {
      expressions,
      messageExpressions,
      sameSchema:
        expressions.size > 0 &&
        deepEqual(objectAt(version, 'schema', 'openAPIV3Schema') ?? null, schemas.get(name) ?? null),
    };
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

function* anySchema(
  holders: readonly (JsonObject | undefined)[],
  holds: (schema: JsonObject) => boolean,
): Steps<boolean> {
  for (const holder of holders) {
    for (const schema of everySchema(objectAt(holder, 'openAPIV3Schema') ?? {})) {
      if (holds(schema)) return true;
      if (sliceIsOver()) yield;
    }
  }
  return false;
}

const hasDefault = (schema: JsonObject): boolean => (getKey(schema, 'default') ?? null) !== null;

/** What only structural schemas may have. */
const hasExtension = (schema: JsonObject): boolean =>
  extensions.some((key) => isSet(getKey(schema, key))) ||
  (getKey(schema, 'x-kubernetes-preserve-unknown-fields') ?? null) !== null;
const extensions = [
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-validations',
];

function* validateSpec(
  object: KubeObject,
  { schemas, structural, known, compatibility }: Strictness,
): Steps<FieldError[]> {
  const internal = internalSpec(object);
  const keepsUnknown = internal['preserveUnknownFields'] === true;
  const errors = [...validateGroup(stringAt(internal, 'group')), ...validateScope(stringAt(internal, 'scope'))];
  const versions = objectsAt(internal, 'versions');
  if (objectAt(internal, 'validation', 'openAPIV3Schema') === undefined && (schemas || !keepsUnknown))
    errors.push(...missingSchemas(versions, schemas));
  const holders = keepsUnknown
    ? [objectAt(internal, 'validation'), ...versions.map((version) => objectAt(version, 'schema'))]
    : [];
  const defaults = yield* anySchema(holders, hasDefault);
  if (defaults)
    errors.push(
      invalid(spec.child('preserveUnknownFields'), true, 'must be false in order to use defaults in the schema'),
    );
  const isStructural = structural || !keepsUnknown || defaults || (yield* anySchema(holders, hasExtension));
  const rulesOfVersion = (version: JsonObject | undefined): Omit<SchemaRules, 'hasStatus'> => ({
    structural: isStructural,
    known: known?.(stringAt(version, 'name')),
    compatibility,
  });
  for (const [index, version] of versions.entries())
    errors.push(
      ...(yield* validateVersion(version, internal, rulesOfVersion(version), spec.child('versions').index(index))),
    );
  errors.push(...validateVersionList(internal));
  const names = objectAt(internal, 'names') ?? {};
  errors.push(...validateRequiredNames(names, spec.child('names')), ...validateNames(names, spec.child('names')));
  const hasStatus = [internal, ...versions].some((one) => objectAt(one, 'subresources', 'status') !== undefined);
  errors.push(
    ...(yield* validateSchemaPart(
      objectAt(internal, 'validation'),
      { ...rulesOfVersion(versions[0]), hasStatus },
      spec.child('validation'),
    )),
    ...validateSubresources(objectAt(internal, 'subresources'), spec.child('subresources')),
    ...validateColumns(internal, spec),
    ...validateSelectableFields(
      internal,
      objectAt(internal, 'validation', 'openAPIV3Schema'),
      'may only be set when validations.schema is included',
      spec,
    ),
  );
  const conversion = objectAt(internal, 'conversion');
  if (keepsUnknown && stringAt(conversion, 'strategy') !== 'None') {
    errors.push(
      invalid(
        spec.child('conversion', 'strategy'),
        stringAt(conversion, 'strategy'),
        'must be None if spec.preserveUnknownFields is true',
      ),
    );
  }
  return [...errors, ...validateConversion(conversion, spec.child('conversion'))];
}

/** Versions that bring no schema where there is none for all: none may, or only those that are not served. */
function missingSchemas(versions: readonly JsonObject[], ofAll: boolean): FieldError[] {
  return versions.flatMap((version, index) => {
    if (objectAt(version, 'schema', 'openAPIV3Schema') !== undefined || (!ofAll && version['served'] !== true))
      return [];
    const field = spec.child('versions').index(index).child('schema', 'openAPIV3Schema');
    return [required(field, ofAll ? '' : 'because otherwise all fields are pruned')];
  });
}

function validateGroup(group: string): FieldError[] {
  if (group === '') return [required(spec.child('group'), '')];
  const messages = isDNS1123Subdomain(group);
  if (messages.length > 0) return [invalid(spec.child('group'), group, messages.join(','))];
  return group.includes('.') ? [] : [invalid(spec.child('group'), group, 'should be a domain with at least one dot')];
}

function validateScope(scope: string): FieldError[] {
  if (scope === '') return [required(spec.child('scope'), '')];
  return scope === 'Cluster' || scope === 'Namespaced'
    ? []
    : [notSupported(spec.child('scope'), scope, ['Cluster', 'Namespaced'])];
}

function* validateVersion(
  version: JsonObject,
  internal: JsonObject,
  rules: Omit<SchemaRules, 'hasStatus'>,
  at: Path,
): Steps<FieldError[]> {
  const name = stringAt(version, 'name');
  const messages = isDNS1035Label(name);
  const hoisted = objectsAt(internal, 'versions').every((one) => objectAt(one, 'subresources') === undefined);
  const hasStatus = objectAt(hoisted ? internal : version, 'subresources', 'status') !== undefined;
  return [
    ...(messages.length > 0 ? [invalid(at.child('name'), name, messages.join(','))] : []),
    ...validateDeprecation(version, at),
    ...(yield* validateSchemaPart(objectAt(version, 'schema'), { ...rules, hasStatus }, at.child('schema'))),
    ...validateSubresources(objectAt(version, 'subresources'), at.child('subresources')),
    ...validateColumns(version, at),
    ...validateSelectableFields(
      version,
      objectAt(version, 'schema', 'openAPIV3Schema'),
      'may only be set when `version.schema.openAPIV3Schema` is not included',
      at,
    ),
  ];
}

function validateVersionList(internal: JsonObject): FieldError[] {
  const versions = objectsAt(internal, 'versions');
  const at = spec.child('versions');
  const errors: FieldError[] = [];
  if (new Set(versions.map((version) => stringAt(version, 'name'))).size < versions.length)
    errors.push(invalid(at, printedVersions(internal), 'must contain unique version names'));
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    errors.push(invalid(at, printedVersions(internal), 'must have exactly one version marked as storage version'));
  }
  const first = stringAt(versions[0], 'name');
  const messages = first === '' ? [] : isDNS1035Label(first);
  if (messages.length > 0) errors.push(invalid(spec.child('version'), first, messages.join(',')));
  return errors;
}

function validateStoredVersions(object: KubeObject): FieldError[] {
  const at = path('status', 'storedVersions');
  const stored = stringsAt(object, 'status', 'storedVersions');
  if (stored.length === 0) return [invalid(at, null, 'must have at least one stored version')];
  const versions = objectsAt(object, 'spec', 'versions');
  const errors: FieldError[] = [];
  const left = new Set(stored);
  for (const version of versions) {
    const name = stringAt(version, 'name');
    // A version that is listed twice conflicts with itself.
    if (!left.delete(name) && version['storage'] === true)
      errors.push(invalid(at, [...stored], `must have the storage version ${name}`));
  }
  stored.forEach((name, index) => {
    if (versions.some((version) => stringAt(version, 'name') === name)) return;
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

/** A missing or invalid approval may stay as it is. */
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
