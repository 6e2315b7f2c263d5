import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';

/** One version of a custom resource: its apiVersion and its schema. */
export interface ResourceVersionShape {
  readonly apiVersion: string;
  readonly schema: StructSchema;
}
