import type { KnownRules } from '#servers/extensions/rules/compile-rules.ts';
import { everySchema, isSet } from '#servers/extensions/schema/schema-walk.ts';
import {
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Release } from '#shared/apimachinery/release-version.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import { internalSpec, printedVersions } from './internal-definition.ts';
import { validateConversion, type KeptConversion } from './validate-conversion.ts';
import { validateNames, validateRequiredNames } from './validate-names.ts';
import {
  validateColumns,
  validateDeprecation,
  validateSchemaPart,
  validateSelectableFields,
  validateSubresources,
  type SchemaRules,
} from './validate-version-parts.ts';

export const spec = path('spec');

export interface Strictness {
  /** Whether every version needs a schema. */
  readonly schemas: boolean;
  /** Whether schemas must be structural. */
  readonly structural: boolean;
  /** The rules of a version that the old definition had already. */
  readonly known?: (version: string) => KnownRules;
  /** New validation rules must be supported by this release. */
  readonly compatibility: Release;
  readonly conversion: KeptConversion;
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

/** Whether a schema has an extension that only structural schemas may have. */
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

export function* validateSpec(
  object: KubeObject,
  { schemas, structural, known, compatibility, conversion: kept }: Strictness,
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
  for (const error of yield* validateVersions(internal, rulesOfVersion)) errors.push(error);
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
  return [...errors, ...validateConversion(conversion, spec.child('conversion'), kept)];
}

/**
 * Reports versions without a schema where there is no top-level schema either. `ofAll`: all versions need one;
 * otherwise only those that are served.
 */
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

function* validateVersions(
  internal: JsonObject,
  rulesOf: (version: JsonObject) => Omit<SchemaRules, 'hasStatus'>,
): Steps<FieldError[]> {
  const versions = objectsAt(internal, 'versions');
  const hoisted = versions.every((one) => objectAt(one, 'subresources') === undefined);
  const errors: FieldError[] = [];
  for (const [index, version] of versions.entries()) {
    const hasStatus = objectAt(hoisted ? internal : version, 'subresources', 'status') !== undefined;
    const at = spec.child('versions').index(index);
    errors.push(...(yield* validateVersion(version, { ...rulesOf(version), hasStatus }, at)));
  }
  return errors;
}

function* validateVersion(version: JsonObject, rules: SchemaRules, at: Path): Steps<FieldError[]> {
  const name = stringAt(version, 'name');
  const messages = isDNS1035Label(name);
  return [
    ...(messages.length > 0 ? [invalid(at.child('name'), name, messages.join(','))] : []),
    ...validateDeprecation(version, at),
    ...(yield* validateSchemaPart(objectAt(version, 'schema'), rules, at.child('schema'))),
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
