import { typeOf } from './type-of.ts';
import type { Value } from './value.ts';

/** Go's names of types that are not called as in CEL. */
const goTypes: ReadonlyMap<string, string> = new Map([
  ['null_type', 'types.Null'],
  ['google.protobuf.Duration', 'types.Duration'],
  ['google.protobuf.Timestamp', 'types.Timestamp'],
  ['optional_type', '*types.Optional'],
  ['type', '*types.Type'],
  ['error', '*types.Err'],
  ['list', '*types.baseList'],
  ['map', '*types.baseMap'],
  ['kubernetes.Quantity', 'cel.Quantity'],
  ['kubernetes.Semver', 'cel.Semver'],
  ['kubernetes.URL', 'cel.URL'],
  ['kubernetes.NamedFormat', 'cel.Format'],
  ['net.IP', 'cel.IP'],
  ['net.CIDR', 'cel.CIDR'],
]);

/** The name that cel-go's messages have for the Go type of a value. */
export function goType(value: Value): string {
  const { name } = typeOf(value);
  return goTypes.get(name) ?? `types.${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
