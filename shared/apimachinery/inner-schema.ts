import type { StructSchema } from './schema.ts';

/** The schema-of-schemas that a struct with a `jsonForm` holds. */
export function innerSchema(schema: StructSchema): StructSchema {
  const field = schema.fields.find((candidate) => candidate.goName === 'Schema');
  if (field?.schema.kind !== 'struct') throw new Error(`${schema.name} has no Schema field`);
  return field.schema;
}
