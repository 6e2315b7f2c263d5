import type { KnownRules } from '#servers/extensions/rules/compile-rules.ts';
import type { RuleCosts, RuleScope } from '#servers/extensions/rules/definition-rules.ts';
import { loadedRules } from '#servers/extensions/rules/load-rules.ts';
import { FieldPathError, followFieldPath } from '#servers/extensions/schema/field-path.ts';
import { goNamesOf, printedSchema } from '#servers/extensions/schema/printed-schema.ts';
import { hasRules } from '#servers/extensions/schema/rule.ts';
import { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import { everySchema } from '#servers/extensions/schema/schema-walk.ts';
import { validateDefaults } from '#servers/extensions/schema/validate-defaults.ts';
import { structuralObstacle, validateOpenApiSchema } from '#servers/extensions/schema/validate-openapi.ts';
import { validateStructural } from '#servers/extensions/schema/validate-structural.ts';
import {
  duplicate,
  forbidden,
  invalid,
  required,
  tooMany,
  VerbatimValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Release } from '#shared/apimachinery/release-version.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goJsonString, isPrintable } from '#shared/apimachinery/text/go-format.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const maxSelectableFields = 8;
/** Members (by Go's names) that the root of a schema may have if the version has a status subresource. */
const besideStatus = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];

export interface SchemaRules {
  readonly hasStatus: boolean;
  readonly structural: boolean;
  /** The rules that the definition had before the update; absent at creation. */
  readonly known?: KnownRules | undefined;
  /** New validation rules must be supported by this release (`--min-compatibility-version`). */
  readonly compatibility: Release;
}

/** Validates `validation` of the spec, or `schema` of a version. */
export function* validateSchemaPart(part: JsonObject | undefined, rules: SchemaRules, at: Path): Steps<FieldError[]> {
  const schema = objectAt(part, 'openAPIV3Schema');
  if (schema === undefined) return [];
  const path = at.child('openAPIV3Schema');
  const errors = rules.hasStatus ? validateRootBesideStatus(schema, path) : [];
  if (schema['nullable'] === true)
    errors.push(forbidden(path.child('nullable'), 'nullable cannot be true at the root'));
  const obstacle = rules.structural ? yield* structuralObstacle(schema) : undefined;
  let checks: { readonly scope: RuleScope; readonly costs: RuleCosts } | undefined;
  if (rules.structural && obstacle === undefined) {
    const structural = yield* validateStructural(schema, path);
    const modules = structural.length === 0 && (yield* anyRules(schema)) ? yield* loadedRules() : undefined;
    const found =
      structural.length > 0 ? structural : yield* validateDefaults(schema, path, modules?.defaultRules(schema));
    errors.push(...found);
    if (modules !== undefined && found.length === 0)
      checks = modules.RuleScope.root(new SchemaNode(schema), rules.known, rules.compatibility);
  }
  errors.push(...(yield* validateOpenApiSchema(schema, path, checks?.scope)));
  if (errors.length === 0 && obstacle !== undefined) errors.push(invalid(path, '', obstacle));
  return checks === undefined ? errors : [...errors, ...checks.costs.errors(path)];
}

function* anyRules(schema: JsonObject): Steps<boolean> {
  for (const one of everySchema(schema)) {
    if (hasRules(one)) return true;
    if (sliceIsOver()) yield;
  }
  return false;
}

function validateRootBesideStatus(schema: JsonObject, at: Path): FieldError[] {
  const type = stringAt(schema, 'type');
  if (type !== '' && type !== 'object')
    return [
      invalid(
        at.child('type'),
        type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  const wrong = goNamesOf(schema).some((name) => !besideStatus.includes(name));
  return wrong
    ? [
        invalid(
          at,
          printedSchema(schema),
          `only [${besideStatus.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`,
        ),
      ]
    : [];
}

export function validateSubresources(subresources: JsonObject | undefined, at: Path): FieldError[] {
  const scale = objectAt(subresources, 'scale');
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  for (const [key, root] of [
    ['specReplicasPath', '.spec'],
    ['statusReplicasPath', '.status'],
  ] as const) {
    const value = stringAt(scale, key);
    const path = at.child(`scale.${key}`);
    if (value === '') errors.push(required(path, ''));
    else errors.push(...validateScalePath(value, [root], `should be a json path under ${root}`, path));
  }
  const selector = stringAt(scale, 'labelSelectorPath');
  if (selector !== '')
    errors.push(
      ...validateScalePath(
        selector,
        ['.spec', '.status'],
        'should be a json path under either .spec or .status',
        at.child('scale.labelSelectorPath'),
      ),
    );
  return errors;
}

function validateScalePath(value: string, roots: readonly string[], detail: string, at: Path): FieldError[] {
  const errors = validateSimplePath(value, at);
  if (errors.length > 0 || roots.some((root) => value.startsWith(`${root}.`))) return errors;
  return [invalid(at, value, detail)];
}

function validateSimplePath(value: string, at: Path): FieldError[] {
  return value.startsWith('.') ? [] : [invalid(at, value, 'must be a simple json path starting with .')];
}

export function validateColumns(part: JsonObject, at: Path): FieldError[] {
  return objectsAt(part, 'additionalPrinterColumns').flatMap((column, index) =>
    validateColumn(column, at.child('additionalPrinterColumns').index(index)),
  );
}

function validateColumn(column: JsonObject, at: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (stringAt(column, 'name') === '') errors.push(required(at.child('name'), ''));
  const type = stringAt(column, 'type');
  const oneOf = `must be one of ${columnTypes.join(',')}`;
  if (type === '') errors.push(required(at.child('type'), oneOf));
  else if (!columnTypes.includes(type)) errors.push(invalid(at.child('type'), type, oneOf));
  const format = stringAt(column, 'format');
  if (format !== '' && !columnFormats.includes(format))
    errors.push(invalid(at.child('format'), format, `must be one of ${columnFormats.join(',')}`));
  const jsonPath = stringAt(column, 'jsonPath');
  if (jsonPath === '') errors.push(required(at.child('JSONPath'), ''));
  else errors.push(...validateSimplePath(jsonPath, at.child('JSONPath')));
  return errors;
}

/** Validates selectable fields. They must exist in `schema`, if there is one. */
export function validateSelectableFields(
  part: JsonObject,
  schema: JsonObject | undefined,
  missing: string,
  at: Path,
): FieldError[] {
  const fields = objectsAt(part, 'selectableFields');
  const path = at.child('selectableFields');
  if (fields.length === 0) return [];
  if (schema === undefined) return [invalid(path, '', missing)];
  const root = new SchemaNode(schema);
  const seen = new Set<string>();
  const errors = fields.flatMap((field, index) =>
    validateSelectableField(stringAt(field, 'jsonPath'), root, seen, path.index(index).child('jsonPath')),
  );
  if (seen.size > maxSelectableFields) errors.push(tooMany(path, seen.size, maxSelectableFields));
  return errors;
}

function validateSelectableField(jsonPath: string, root: SchemaNode, seen: Set<string>, at: Path): FieldError[] {
  if (jsonPath === '') return [required(at, '')];
  const found = schemaAtPath(jsonPath, root);
  if (typeof found === 'string') return [invalid(at, jsonPath, `is an invalid path: ${found}`)];
  const errors: FieldError[] = [];
  if (/^\.metadata(\.|$)/.test(jsonPath)) errors.push(invalid(at, jsonPath, 'must not point to fields in metadata'));
  if (!['string', 'boolean', 'integer'].includes(found.types.join())) {
    errors.push(
      invalid(
        at,
        jsonPath,
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ),
    );
  }
  if (seen.has(jsonPath)) errors.push(duplicate(at, jsonPath));
  seen.add(jsonPath);
  return errors;
}

/** The schema of the field at a path, or the reason why the path is invalid. */
function schemaAtPath(jsonPath: string, root: SchemaNode): SchemaNode | string {
  try {
    return followFieldPath(jsonPath, root, { brackets: false }).schema;
  } catch (error) {
    if (error instanceof FieldPathError) return error.message;
    throw error;
  }
}

export function validateDeprecation(version: JsonObject, at: Path): FieldError[] {
  const warning = version['deprecationWarning'];
  if (typeof warning !== 'string') return [];
  const path = at.child('deprecationWarning');
  if (version['deprecated'] !== true) return [invalid(path, warning, 'can only be set for deprecated versions')];
  const errors: FieldError[] = [];
  const shown = new VerbatimValue(goJsonString(warning));
  if (Buffer.byteLength(warning) > 256) errors.push(invalid(path, shown, 'must be <= 256 characters long'));
  if (warning === '') errors.push(invalid(path, shown, 'must not be an empty string'));
  let index = 0;
  for (const char of warning) {
    if (!isPrintable(char)) {
      errors.push(
        invalid(
          path,
          shown,
          `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
        ),
      );
      break;
    }
    index += Buffer.byteLength(char);
  }
  return errors;
}
