import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';

/** The part of the facts that the codecs use: the schema of a top-level kind; undefined for an unknown kind. */
export interface SchemaLookup {
  schema(group: string, version: string, kind: string): StructSchema | undefined;
}
