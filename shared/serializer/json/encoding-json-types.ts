import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { canonicalQuantity } from '#shared/apimachinery/values/quantity.ts';
import { canonicalTime } from '#shared/apimachinery/values/time.ts';
import { safeParse } from './safe-parse.ts';

/** A Go type as encoding/json sees it. `name` is how its errors print the type, such as `core.Toleration`. */
export type EncodingJsonType =
  | ScalarType
  | SliceType
  | StringMapType
  | EncodingJsonStruct
  | PointerType
  | UnmarshalerType;

interface ScalarType {
  readonly kind: 'string' | 'bool' | 'int32' | 'int64';
  readonly name: string;
}

interface SliceType {
  readonly kind: 'slice';
  readonly name: string;
  readonly of: EncodingJsonType;
}

/** A map whose keys are strings. */
interface StringMapType {
  readonly kind: 'map';
  readonly name: string;
  readonly of: EncodingJsonType;
}

export interface EncodingJsonStruct {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly EncodingJsonField[];
}

export interface EncodingJsonField {
  /** In JSON, by which it is found in any case: the tag, or the Go name of a field without one. */
  readonly name: string;
  /** In the decoded object; default: the name in JSON. */
  readonly as?: string;
  readonly type: EncodingJsonType;
  /** The zero value is left out of the decoded object, as with `omitempty`. */
  readonly omitsZero?: boolean;
}

interface PointerType {
  readonly kind: 'pointer';
  readonly to: EncodingJsonType;
}

/** A type with a method UnmarshalJSON. */
interface UnmarshalerType {
  readonly kind: 'unmarshaler';
  readonly zero: JsonValue;
  /** Reads the JSON text of a value. What it throws ends the decoding: an Error with the method's text. */
  readonly read: (text: string) => JsonValue;
}

/** A value of a wrong type; the error says in which field. */
export class ValueTypeError extends Error {
  override readonly name = 'ValueTypeError';
  readonly kind: string;
  readonly type: string;

  /** @param kind of the value, such as `number` or `number 1.5` */
  constructor(kind: string, type: string) {
    super(`json: cannot unmarshal ${kind} into Go value of type ${type}`);
    this.kind = kind;
    this.type = type;
  }
}

export const goString: EncodingJsonType = { kind: 'string', name: 'string' };
export const goBoolean: EncodingJsonType = { kind: 'bool', name: 'bool' };
export const goInt32: EncodingJsonType = { kind: 'int32', name: 'int32' };
export const goInt64: EncodingJsonType = { kind: 'int64', name: 'int64' };

export const pointerTo = (to: EncodingJsonType): EncodingJsonType => ({ kind: 'pointer', to });

export function sliceOf(of: EncodingJsonType): EncodingJsonType {
  return { kind: 'slice', name: `[]${nameOfType(of)}`, of };
}

/** The name of a type in errors. */
export function nameOfType(type: EncodingJsonType): string {
  if (type.kind === 'pointer') return `*${nameOfType(type.to)}`;
  return type.kind === 'unmarshaler' ? '' : type.name;
}

/** resource.Quantity: numbers count as their texts, and escapes in strings are not read. */
export const goQuantity: EncodingJsonType = {
  kind: 'unmarshaler',
  zero: '0',
  read: (text) => (text === 'null' ? '0' : canonicalQuantity(text.replace(/^"(.*)"$/s, '$1').trim())),
};

/** metav1.Time. */
export const goTime: EncodingJsonType = {
  kind: 'unmarshaler',
  zero: null,
  read(text) {
    if (text === 'null') return null;
    const value = safeParse(text);
    if (typeof value === 'string') return canonicalTime(value);
    throw new ValueTypeError(kindOfText(text), 'string');
  },
};

const kinds: ReadonlyMap<string, string> = new Map([
  ['{', 'object'],
  ['[', 'array'],
  ['"', 'string'],
  ['t', 'bool'],
  ['f', 'bool'],
]);

/** Go's name for the kind of a JSON value other than null. */
export function kindOfText(text: string): string {
  return kinds.get(text.charAt(0)) ?? 'number';
}

/** metav1.LabelSelector. */
export const goLabelSelector: EncodingJsonType = {
  kind: 'struct',
  name: 'v1.LabelSelector',
  fields: [
    { name: 'matchLabels', type: { kind: 'map', name: 'map[string]string', of: goString }, omitsZero: true },
    {
      name: 'matchExpressions',
      omitsZero: true,
      type: sliceOf({
        kind: 'struct',
        name: 'v1.LabelSelectorRequirement',
        fields: [
          { name: 'key', type: goString },
          { name: 'operator', type: { kind: 'string', name: 'v1.LabelSelectorOperator' } },
          { name: 'values', type: sliceOf(goString), omitsZero: true },
        ],
      }),
    },
  ],
};
