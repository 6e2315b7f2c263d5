import type { Schema } from './schema.ts';

/**
 * Whether a type is a struct in Go, as some scalars of JSON are: `omitempty` never omits a struct by value, and it is a
 * message in protobuf.
 */
export function isGoStruct(schema: Schema): boolean {
  if (schema.kind === 'struct') return true;
  return (
    schema.kind === 'scalar' &&
    /^(time|microTime|duration|quantity|intOrString|rawExtension|fieldsV1|json)$/.test(schema.type)
  );
}
