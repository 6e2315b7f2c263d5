import type { Gates } from '#servers/core/gates/gates.ts';
import type { GateName } from '#shared/api/feature-gates.ts';
import { schemaOfModel } from '#shared/api/same-by-type.ts';
import {
  childOf,
  duplicate,
  forbidden,
  invalid,
  required,
  tooMany,
  VerbatimValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { semanticEqualAs, semanticEqualMembers } from '#shared/apimachinery/schema/deep-equal.ts';
import type { Field, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { writerOf } from '#shared/serializer/json/encode.ts';

// Validation that the reference generates from declarations beside the fields
// (pkg/apis/<group>/<version>/zz_generated.validations.go, apimachinery/pkg/api/validate). An update does not validate
// unchanged fields again, even if they are invalid.

/** The rules of a struct. */
export interface DeclaredStruct {
  /**
   * OpenAPI name of the type, from which the kind of each field follows: a pointer is present if it is not null, a
   * plain value if it is not zero.
   */
  readonly model: string;
  /** Pointer fields of which exactly one must be set. */
  readonly union?: readonly string[];
  /** The rules of fields, in the order of the type; fields without rules are left out. */
  readonly fields: Readonly<Record<string, DeclaredField>>;
}

/** The rules of one field, in the order in which they are applied. */
export interface DeclaredField {
  /**
   * The field's feature gate. While it is off an update may not add a value; on create the value was removed before.
   */
  readonly gate?: GateName;
  /** The value cannot change after creation; not checked while the gate is off. */
  readonly isImmutable?: boolean;
  /** Maximum of items in a list. */
  readonly maxItems?: number;
  readonly isRequired?: boolean;
  /** The string member that identifies the items of a list. */
  readonly key?: string;
  /** Checks a value that is set. */
  readonly check?: (value: JsonValue, field: Path) => FieldError[];
  /** The rules of an object that is set, or of each item of a list. */
  readonly struct?: DeclaredStruct;
}

/** One struct that is being validated. */
interface ValidatedStruct {
  readonly object: JsonObject;
  /** Its old state; undefined on create, and if the update adds it. */
  readonly old: JsonObject | undefined;
  readonly isUpdate: boolean;
  readonly gates: Gates;
}

/** Validates a struct on create; without `field` it is a whole object. */
export function validateDeclared(rules: DeclaredStruct, gates: Gates, object: JsonObject, field?: Path): FieldError[] {
  return validateStruct(rules, { object, old: undefined, isUpdate: false, gates }, field);
}

/** Validates what an update changes in a struct; `old` is undefined if it was not set before. */
export function validateDeclaredUpdate(
  rules: DeclaredStruct,
  gates: Gates,
  object: JsonObject,
  old: JsonObject | undefined,
  field?: Path,
): FieldError[] {
  return validateStruct(rules, { object, old, isUpdate: true, gates }, field);
}

function validateStruct(rules: DeclaredStruct, validated: ValidatedStruct, field: Path | undefined): FieldError[] {
  const schema = structOf(schemaOfModel(rules.model));
  const errors = rules.union === undefined ? [] : validateUnion(rules.union, validated, field);
  for (const [name, rule] of Object.entries(rules.fields)) {
    const known = schema.byName.get(name);
    if (known === undefined) throw new TypeError(`${rules.model} has no ${name}`);
    if (validated.old !== undefined && semanticEqualMembers(schema, name, validated.object, validated.old)) continue;
    errors.push(...validateField(rule, known, validated, childOf(field, name)));
  }
  return errors;
}

/** Exactly one member of a union must be set. A union whose members stay set as before is not validated. */
function validateUnion(
  names: readonly string[],
  { object, old }: ValidatedStruct,
  field: Path | undefined,
): FieldError[] {
  const has = (of: JsonObject, name: string): boolean => (getKey(of, name) ?? null) !== null;
  if (old !== undefined && names.every((name) => has(object, name) === has(old, name))) return [];
  const present = names.filter((name) => has(object, name));
  const known = names.map((name) => `\`${name}\``).join(', ');
  if (present.length === 0) return [invalid(field, '', `must specify one of: ${known}`)];
  return present.length === 1
    ? []
    : [invalid(field, `{${present.join(', ')}}`, `must specify exactly one of: ${known}`)];
}

function validateField(rule: DeclaredField, known: Field, validated: ValidatedStruct, field: Path): FieldError[] {
  const value = getKey(validated.object, known.name) ?? null;
  const isThere = isPresent(known, value);
  if (rule.gate !== undefined && !validated.gates[rule.gate])
    return validated.isUpdate && isThere ? [forbidden(field, '')] : [];
  const errors: FieldError[] = [];
  if (rule.isImmutable === true && validated.isUpdate) errors.push(invalid(field, null, 'field is immutable'));
  if (rule.maxItems !== undefined && Array.isArray(value) && value.length > rule.maxItems)
    errors.push(tooMany(field, value.length, rule.maxItems));
  if (rule.isRequired === true && !isThere) errors.push(required(field, ''));
  if (errors.length > 0 || !isThere) return errors;
  return [...(rule.check?.(value, field) ?? []), ...validateInside(rule, known.schema, validated, known.name, field)];
}

function validateInside(
  rule: DeclaredField,
  schema: Schema,
  { object, old, isUpdate, gates }: ValidatedStruct,
  name: string,
  field: Path,
): FieldError[] {
  if (schema.kind === 'list')
    return validateItems(
      rule,
      schema.items,
      { items: objectsAt(object, name), before: objectsAt(old, name), isUpdate, gates },
      field,
    );
  // In Go, a struct that is not a pointer is always present, even if the object does not set it.
  return rule.struct === undefined
    ? []
    : validateStruct(
        rule.struct,
        { object: objectAt(object, name) ?? {}, old: objectAt(old, name), isUpdate, gates },
        field,
      );
}

interface Items {
  readonly items: readonly JsonObject[];
  readonly before: readonly JsonObject[];
  readonly isUpdate: boolean;
  readonly gates: Gates;
}

function validateItems(
  { key, struct }: DeclaredField,
  schema: Schema,
  { items, before, isUpdate, gates }: Items,
  field: Path,
): FieldError[] {
  const errors = key === undefined ? [] : validateKeys(items, key, schema, field);
  if (struct === undefined) return errors;
  const oldByKey = key === undefined ? undefined : firstByKey(before, key);
  for (const [index, object] of items.entries()) {
    const old = key === undefined ? undefined : oldByKey?.get(keyOf(object, key));
    if (old !== undefined && semanticEqualAs(schema, object, old)) continue;
    errors.push(...validateStruct(struct, { object, old, isUpdate, gates }, field.index(index)));
  }
  return errors;
}

/** Errors for items whose key an earlier item has, with the item as the reference prints it. */
function validateKeys(items: readonly JsonObject[], key: string, schema: Schema, field: Path): FieldError[] {
  const repeated = repetitions(items.map((item) => keyOf(item, key)));
  return items.flatMap((item, index) =>
    repeated[index] === true ? [duplicate(field.index(index), new VerbatimValue(writerOf(schema)(item)))] : [],
  );
}

/** Items by key; of several items with the same key, the first. */
function firstByKey(items: readonly JsonObject[], key: string): ReadonlyMap<JsonValue, JsonObject> {
  return new Map(items.toReversed().map((item) => [keyOf(item, key), item]));
}

function keyOf(item: JsonObject, key: string): JsonValue {
  return getKey(item, key) ?? '';
}

function isPresent({ schema, pointer }: Field, value: JsonValue): boolean {
  if (pointer) return value !== null;
  if (schema.kind === 'struct') return true;
  return schema.kind === 'list'
    ? Array.isArray(value) && value.length > 0
    : value !== null && value !== '' && value !== 0;
}

function structOf(schema: Schema): StructSchema {
  if (schema.kind !== 'struct') throw new TypeError('declared rules are those of a struct');
  return schema;
}
