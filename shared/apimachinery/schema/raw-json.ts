import type { Schema, StructSchema } from './schema.ts';

const known = new WeakMap<StructSchema, boolean>();

/** Whether values of a built-in type keep JSON as it was sent, in the order of its keys (runtime.RawExtension). */
export function holdsRawJson(schema: Schema): boolean {
  switch (schema.kind) {
    case 'scalar':
      return schema.type === 'rawExtension';
    case 'list':
      return holdsRawJson(schema.items);
    case 'map':
      return holdsRawJson(schema.values);
    case 'struct': {
      const found = known.get(schema);
      if (found !== undefined) return found;
      // Types may be recursive.
      known.set(schema, false);
      const holds = schema.custom === undefined && schema.flat.some((field) => holdsRawJson(field.schema));
      known.set(schema, holds);
      return holds;
    }
  }
}
