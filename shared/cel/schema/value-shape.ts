import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { PresentKeys } from '#shared/apimachinery/json/present-keys.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import {
  CelDouble,
  CelDuration,
  CelError,
  CelList,
  CelMap,
  CelTimestamp,
  type Value,
} from '#shared/cel/values/value.ts';
import { readBytes, readDate, readDateTime, readDuration } from './formatted-text.ts';
import { JsonList, type ItemsShape } from './json-list.ts';
import { JsonMap, type EntriesShape } from './json-map.ts';
import { escapeName, unescapeName } from './names.ts';
import type { Raw } from './raw.ts';
import { resourceProperties, type PropertyLookUp, type TypedSchema } from './typed-schema.ts';
import { UnknownJson } from './unknown-json.ts';

interface Field {
  /** The name of the field in the object; undefined if it is the key itself. */
  readonly name: string | undefined;
  readonly shape: ValueShape;
}

const noNull = new CelError('invalid data, got null for schema with nullable=false');
const noIntOrString = new CelError('invalid data, expected XIntOrString value to be either a string or integer');
const noMap = new CelError('invalid data, expected a map for the provided schema with type=object');
const noList = new CelError('invalid data, expected an array for the provided schema with type=array');
const noItems = new CelError('invalid array type, expected Items with a non-empty Schema');

/**
 * Reads JSON values by their schema (k8s.io/apiserver/pkg/cel/common, valuesunstructured.go). Objects and lists become
 * views: the values inside are read only when an expression selects them.
 */
export class ValueShape implements ItemsShape, EntriesShape {
  readonly #schema: TypedSchema;
  readonly #kind: string;
  readonly #listType: string;
  readonly #isResource: boolean;
  readonly #fields = new Map<string, Field>();
  #additional: Field | undefined;
  #properties: PropertyLookUp | undefined;
  #items: ValueShape | undefined;
  #mapKeys: PresentKeys | undefined;

  /** `isResource`: whether kind, apiVersion and the names in metadata exist even if they are not declared. */
  constructor(schema: TypedSchema, isResource = schema.embedded) {
    this.#schema = schema;
    this.#isResource = isResource;
    this.#listType = schema.listType;
    this.#kind = schema.intOrString
      ? 'intOrString'
      : schema.type === 'string'
        ? textKind(schema.declaredFormat)
        : schema.type;
  }

  read(raw: Raw): Value {
    if (raw === null) return this.#schema.nullable ? null : noNull;
    switch (this.#kind) {
      case 'string':
        return typeof raw === 'string' ? raw : noText(raw);
      case 'integer':
        return isInteger(raw) ? raw : new CelError(`invalid data, expected int, got ${goTypeOf(raw)}`);
      case 'boolean':
        return typeof raw === 'boolean' ? raw : new CelError(`invalid data, expected bool, got ${goTypeOf(raw)}`);
      case 'object':
        return isJsonObject(raw) ? new JsonMap(raw, this) : noMap;
      case 'array':
        return Array.isArray(raw) ? this.#list(raw) : noList;
      case 'number':
        return typeof raw === 'number' || typeof raw === 'bigint'
          ? new CelDouble(Number(raw))
          : raw instanceof CelDouble
            ? raw
            : new CelError(`invalid data, expected float, got ${goTypeOf(raw)}`);
      case 'intOrString':
        return typeof raw === 'string' || isInteger(raw) ? raw : noIntOrString;
      case 'duration':
        return typeof raw === 'string' ? readDuration(raw) : noText(raw);
      case 'date':
        return typeof raw === 'string' ? readDate(raw) : noText(raw);
      case 'date-time':
        return typeof raw === 'string' ? readDateTime(raw) : noText(raw);
      case 'byte':
        return typeof raw === 'string' ? readBytes(raw) : noText(raw);
      default:
        return this.#unknown(raw);
    }
  }

  #unknown(raw: Raw): Value {
    if (this.#schema.preserveUnknown) return new UnknownJson(raw);
    return new CelError(
      `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${this.#schema.type}`,
    );
  }

  #list(raw: readonly Raw[]): Value {
    return this.#schema.items === undefined ? noItems : new JsonList(raw, this);
  }

  get listType(): string {
    return this.#listType;
  }

  /**
   * The keys of items in a list of type map. They are escaped, as in the reference, although data has unescaped names.
   */
  get mapKeys(): PresentKeys {
    return (this.#mapKeys ??= new PresentKeys(this.#schema.listMapKeys.map((key) => escapeName(key) ?? key)));
  }

  readItem(raw: Raw): Value {
    return (this.#items ??= new ValueShape(this.#schema.items as TypedSchema)).read(raw);
  }

  keyOf(name: string): string {
    return this.#hasNames ? (escapeName(name) ?? name) : name;
  }

  knows(name: string): boolean {
    return this.#schemaOf(name) !== undefined;
  }

  readField(object: JsonObject, key: string): Value | undefined {
    const field = this.#fields.get(key) ?? this.#fieldOf(key);
    const name = field?.name ?? key;
    if (field === undefined || !Object.hasOwn(object, name)) return undefined;
    const raw = object[name] as Raw;
    // A declared field that is null counts as absent.
    return raw === null && field.name !== undefined ? undefined : field.shape.read(raw);
  }

  /** The field that a key names. Named fields are cached by escaped name; all other fields share one shape. */
  #fieldOf(key: string): Field | undefined {
    if (!this.#hasNames) {
      const { additional } = this.#schema;
      return additional === undefined
        ? undefined
        : (this.#additional ??= { name: undefined, shape: new ValueShape(additional) });
    }
    const name = unescapeName(key);
    const schema = name === undefined ? undefined : this.#named().get(name);
    if (schema === undefined) return undefined;
    const field = { name, shape: new ValueShape(schema) };
    this.#fields.set(key, field);
    return field;
  }

  #schemaOf(name: string): TypedSchema | undefined {
    return this.#hasNames ? this.#named().get(name) : this.#schema.additional;
  }

  /** Whether the schema has named fields. */
  get #hasNames(): boolean {
    return this.#isResource || this.#schema.properties.size > 0;
  }

  #named(): PropertyLookUp {
    return (this.#properties ??= this.#isResource ? resourceProperties(this.#schema) : this.#schema.properties);
  }
}

function textKind(format: string): string {
  return format === 'duration' || format === 'date' || format === 'date-time' || format === 'byte' ? format : 'string';
}

function isInteger(raw: Raw): raw is number | bigint {
  return typeof raw === 'bigint' || Number.isInteger(raw);
}

function isJsonObject(raw: Raw): raw is JsonObject {
  return !(raw instanceof CelObject) && !(raw instanceof Uint8Array) && isObject(raw);
}

function noText(raw: Raw): CelError {
  return new CelError(`invalid data, expected string, got ${goTypeOf(raw)}`);
}

/** The Go type of a value, for messages: for JSON the type that Go's decoder produces, else the type in cel-go. */
function goTypeOf(raw: Raw): string {
  if (typeof raw === 'string') return 'string';
  if (typeof raw === 'boolean') return 'bool';
  if (raw instanceof Uint8Array) return '[]uint8';
  if (raw instanceof CelDuration) return 'time.Duration';
  if (raw instanceof CelTimestamp) return 'time.Time';
  if (raw instanceof CelList) return '[]ref.Val';
  if (raw instanceof CelMap) return 'map[ref.Val]ref.Val';
  if (raw instanceof CelDouble) return 'float64';
  if (Array.isArray(raw)) return '[]interface {}';
  return isInteger(raw) ? 'int64' : typeof raw === 'number' ? 'float64' : 'map[string]interface {}';
}
