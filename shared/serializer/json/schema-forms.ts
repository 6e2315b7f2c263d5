import { innerSchema } from '#shared/apimachinery/schema/inner-schema.ts';
import type { Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';

/**
 * Structs of apiextensions whose JSON is one of two forms: a schema or a list of them, a schema or a boolean, a schema
 * or a list of names. Protobuf keeps the forms in numbered fields.
 */
export type SchemaForm = 'orArray' | 'orBool' | 'orStringArray';

export function schemaForm(schema: StructSchema): SchemaForm | undefined {
  return schema.jsonForm;
}

/** The JSON that Go prints for the zero value of a type with such a form. */
export function zeroForm(form: SchemaForm): false | null {
  return form === 'orBool' ? false : null;
}

const texts: Schema = { kind: 'scalar', type: 'string' };

/** The schema of the items where the value of such a form is a list. */
export function listItems(schema: StructSchema, form: SchemaForm): Schema {
  return form === 'orArray' ? innerSchema(schema) : texts;
}

/** Whether Go keeps a type as the bytes that were sent. */
export function isRaw(schema: Schema): boolean {
  return (
    schema.kind === 'scalar' && (schema.type === 'rawExtension' || schema.type === 'fieldsV1' || schema.type === 'json')
  );
}
