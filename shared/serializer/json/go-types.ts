import type { ScalarType, Schema } from '#shared/apimachinery/schema/schema.ts';

const scalarNames: Record<ScalarType, string> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  uint32: 'uint32',
  uint64: 'uint64',
  float: 'float32',
  double: 'float64',
  bytes: '[]uint8',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  duration: 'v1.Duration',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  rawExtension: 'runtime.RawExtension',
  fieldsV1: 'v1.FieldsV1',
  json: 'v1.JSON',
};

/**
 * A schema's Go type as `reflect.Type.String` prints it, for error texts: `v1.PodSpec`, `[]v1.Container`,
 * `map[string]string`, `v1.Protocol`.
 */
export function goTypeOfSchema(schema: Schema): string {
  if (schema.kind !== 'struct' && schema.goType !== undefined) return schema.goType;
  switch (schema.kind) {
    case 'scalar':
      return scalarNames[schema.type];
    case 'list':
      return `[]${schema.itemPointer === true ? '*' : ''}${goTypeOfSchema(schema.items)}`;
    case 'map':
      return `map[string]${goTypeOfSchema(schema.values)}`;
    case 'struct': {
      // io.k8s.api.core.v1.PodSpec is package v1.
      const parts = schema.name.split('.');
      return `${parts.at(-2) ?? 'v1'}.${schema.goName}`;
    }
  }
}
