import { typeOf } from './type-of.ts';
import type { Value } from './value.ts';

/** Go's names of the types whose names differ from those in CEL. */
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

/** The name of a value's Go type in cel-go's messages. */
export function goType(value: Value): string {
  const { name } = typeOf(value);
  return goTypes.get(name) ?? `types.${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
