import type { StructSchema } from '../apimachinery/schema.ts';

/** What the codecs ask of the facts: the schema of a top-level kind; undefined for one that is not known. */
export interface SchemaLookup {
  schema(group: string, version: string, kind: string): StructSchema | undefined;
}
