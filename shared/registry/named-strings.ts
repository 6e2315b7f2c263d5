import { textOfPlainType } from '#shared/apimachinery/errors/field-error-type.ts';
import { VerbatimValue, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import { goJsonString } from '#shared/apimachinery/text/go-format.ts';

/**
 * Characters that Go quotes differently from JSON: control characters, HTML special characters, and all beyond ASCII.
 */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const differs = /[\u0000-\u001f<>&\u007f-\uffff]/;
const step = /([^.[\]]+)|\[([^\]]*)(?:\]|$)/g;

/**
 * Prints the values of errors as the reference does: a string of a named Go type (`v1.Protocol`) as JSON, any other
 * string with Go's quoting (apimachinery/pkg/util/validation/field, ErrorBody). The schema at the path of the error
 * says which one it is.
 */
export function withNamedStrings(schema: Schema, errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map((error) => (differsNamed(error) && isNamed(schema, error.field) ? withNamedString(error) : error));
}

/**
 * Prints the value as a named string; for pointers, and for errors whose path, in the words of the reference, does not
 * lead to the field.
 */
export function withNamedString(error: FieldError): FieldError {
  return differsNamed(error) ? { ...error, badValue: new VerbatimValue(goJsonString(error.badValue)) } : error;
}

/** Prints the value as a plain string; for fields of a named type whose parts the reference shows as they are. */
export function withPlainString(error: FieldError): FieldError {
  return typeof error.badValue === 'string' ? { ...error, badValue: textOfPlainType(error.badValue) } : error;
}

function differsNamed(error: FieldError): error is FieldError & { readonly badValue: string } {
  return typeof error.badValue === 'string' && differs.test(error.badValue);
}

/** Named types that the reference converts to plain strings before it prints them. */
const shownPlain: ReadonlySet<string> = new Set(['v1.PodConditionType']);

function isNamed(schema: Schema, field: string): boolean {
  let at: Schema | undefined = schema;
  for (const { 1: name } of field.matchAll(step)) at = at === undefined ? undefined : below(at, name);
  if (at?.kind === 'list') at = at.items;
  // An error about a whole struct may report a string, which is then one of its members.
  return at?.kind === 'struct'
    ? at.flat.length > 0 && at.flat.every((member) => isNamedType(member.schema))
    : at !== undefined && isNamedType(at);
}

function isNamedType(schema: Schema): boolean {
  return (
    schema.kind === 'scalar' &&
    schema.type === 'string' &&
    schema.goType !== undefined &&
    !shownPlain.has(schema.goType)
  );
}

/**
 * The schema of the next step of a path: a member by its name, or, for brackets, an item of a list or a value of a map.
 * Some paths omit the brackets of lists.
 */
function below(schema: Schema, name: string | undefined): Schema | undefined {
  if (name === undefined)
    return schema.kind === 'list' ? schema.items : schema.kind === 'map' ? schema.values : undefined;
  const struct = schema.kind === 'list' ? schema.items : schema;
  return struct.kind === 'struct' ? struct.byName.get(name)?.schema : undefined;
}
