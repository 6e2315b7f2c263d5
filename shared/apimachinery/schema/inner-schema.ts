import type { StructSchema } from './schema.ts';

/** The JSON Schema type inside a struct with a `jsonForm`, such as JSONSchemaPropsOrArray. */
export function innerSchema(schema: StructSchema): StructSchema {
  const field = schema.fields.find((candidate) => candidate.goName === 'Schema');
  if (field?.schema.kind !== 'struct') throw new Error(`${schema.name} has no Schema field`);
  return field.schema;
}
