import type { StructSchema, Field } from '#shared/apimachinery/schema/schema.ts';
import { decodeCbor } from './decode-typed.ts';

function textField(name: string, goName: string): Field {
  return {
    name,
    goName,
    number: 0,
    schema: { kind: 'scalar', type: 'string' },
    inline: false,
    pointer: false,
    omitEmpty: true,
    omitZero: false,
    required: false,
  };
}

const fields = [textField('kind', 'Kind'), textField('apiVersion', 'APIVersion')];

const typeMeta: StructSchema = {
  kind: 'struct',
  name: 'io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta',
  goName: 'TypeMeta',
  fields,
  flat: fields,
  byName: new Map(fields.map((field) => [field.name, field])),
};

export interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The apiVersion and kind of an object, empty where they are absent. @throws CborError for a value that is not an
 * object
 */
export function readTypeMeta(bytes: Buffer): TypeMeta {
  const { object } = decodeCbor(typeMeta, bytes);
  return { apiVersion: String(object['apiVersion'] ?? ''), kind: String(object['kind'] ?? '') };
}
