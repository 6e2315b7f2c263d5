import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import type { TypedSchema } from '#shared/cel/schema/typed-schema.ts';
import { AllowedValues } from './allowed-values.ts';
import { supportedFormat, type FormatCheck } from './formats.ts';
import { SchemaMap } from './schema-map.ts';

const junctors = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/**
 * One level of an `openAPIV3Schema`. Members are read lazily, so only the parts of a large schema that objects use are
 * read.
 */
export class SchemaNode implements TypedSchema {
  readonly raw: JsonObject;
  /** The allowed types; if empty, any type is allowed. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly intOrString: boolean;
  readonly embedded: boolean;
  readonly preserveUnknown: boolean;
  /** The default value, which is copied for each use; undefined if there is none. Null is no default. */
  readonly default: JsonValue | undefined;
  readonly listType: string;
  readonly listMapKeys: readonly string[];
  /** The format; empty if this server does not know it. */
  readonly format: string;
  readonly formatCheck: FormatCheck | undefined;
  /** Whether the schema has `allOf`, `anyOf`, `oneOf` or `not`. */
  readonly hasJunctors: boolean;
  readonly #anyForIntOrString: boolean;
  readonly #children = new Map<string, SchemaNode | undefined>();
  #properties: ReadonlyMap<string, SchemaNode> | undefined;
  #required: readonly string[] | undefined;
  #allowed: AllowedValues | undefined;
  #withDefaults: readonly (readonly [string, SchemaNode])[] | undefined;
  #defaultLength: number | undefined;

  /**
   * `anyForIntOrString`: a field that is int or string accepts any value, as in the reference's validation of defaults.
   */
  constructor(raw: JsonObject, anyForIntOrString = false) {
    this.raw = raw;
    this.#anyForIntOrString = anyForIntOrString;
    const type = stringAt(raw, 'type');
    this.intOrString = raw['x-kubernetes-int-or-string'] === true;
    this.types = this.intOrString && !anyForIntOrString ? ['integer', 'string'] : type === '' ? [] : [type];
    this.nullable = raw['nullable'] === true;
    this.embedded = raw['x-kubernetes-embedded-resource'] === true;
    this.preserveUnknown = raw['x-kubernetes-preserve-unknown-fields'] === true;
    this.default = getKey(raw, 'default') ?? undefined;
    this.listType = stringAt(raw, 'x-kubernetes-list-type');
    this.listMapKeys = stringsAt(raw, 'x-kubernetes-list-map-keys');
    const { name, check } = supportedFormat(
      stringAt(raw, 'format'),
      this.types.length === 1 ? (this.types[0] ?? '') : '',
    );
    this.format = name;
    this.formatCheck = check;
    this.hasJunctors = junctors.some((key) => raw[key] !== undefined);
  }

  get type(): string {
    return this.text('type');
  }

  /** The format as declared, even if this server does not know it. */
  get declaredFormat(): string {
    return this.text('format');
  }

  get mapType(): string {
    return this.text('x-kubernetes-map-type');
  }

  get properties(): ReadonlyMap<string, SchemaNode> {
    return (this.#properties ??= this.#readProperties());
  }

  /** Properties that have a default of their own. */
  get withDefaults(): readonly (readonly [string, SchemaNode])[] {
    return (this.#withDefaults ??= [...this.properties].filter(([, node]) => node.default !== undefined));
  }

  /** Characters of the default value as JSON. */
  get defaultLength(): number {
    return (this.#defaultLength ??= goJson(this.default ?? null).length);
  }

  get items(): SchemaNode | undefined {
    return this.#child('items');
  }

  /** The schema of additional properties. */
  get additional(): SchemaNode | undefined {
    return this.#child('additionalProperties');
  }

  /** Whether `additionalProperties` is set, to a schema or to a boolean. */
  get hasAdditional(): boolean {
    const value = this.raw['additionalProperties'];
    return value !== undefined && value !== null;
  }

  get forbidsAdditional(): boolean {
    return this.raw['additionalProperties'] === false;
  }

  get not(): SchemaNode | undefined {
    return this.#child('not');
  }

  junctor(name: 'allOf' | 'anyOf' | 'oneOf'): readonly SchemaNode[] {
    const list = this.raw[name];
    if (!Array.isArray(list)) return [];
    return list.flatMap((item, index) => (isObject(item) ? [this.#read(`${name}${index}`, item)] : []));
  }

  /** The schema of a property, declared or not. */
  property(key: string): SchemaNode | undefined {
    return this.properties.get(key) ?? this.additional;
  }

  /** A numeric member. Runs for every value, so it reads the member directly instead of by a general path look-up. */
  number(key: string): number | undefined {
    const value = getKey(this.raw, key);
    return typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : undefined;
  }

  text(key: string): string {
    const value = getKey(this.raw, key);
    return typeof value === 'string' ? value : '';
  }

  get enum(): readonly JsonValue[] {
    const allowed = this.raw['enum'];
    return Array.isArray(allowed) ? allowed : noValues;
  }

  /** The values that `enum` allows; undefined if any value is allowed. */
  get allowed(): AllowedValues | undefined {
    const list = this.enum;
    return list.length === 0 ? undefined : (this.#allowed ??= new AllowedValues(list));
  }

  get required(): readonly string[] {
    return (this.#required ??= stringsAt(this.raw, 'required'));
  }

  #child(key: string): SchemaNode | undefined {
    if (this.#children.has(key)) return this.#children.get(key);
    const value = getKey(this.raw, key);
    const node = isObject(value) ? new SchemaNode(value, this.#anyForIntOrString) : undefined;
    this.#children.set(key, node);
    return node;
  }

  #read(name: string, raw: JsonObject): SchemaNode {
    let node = this.#children.get(name);
    if (node === undefined) this.#children.set(name, (node = new SchemaNode(raw, this.#anyForIntOrString)));
    return node;
  }

  #readProperties(): ReadonlyMap<string, SchemaNode> {
    const properties = this.raw['properties'];
    return isObject(properties)
      ? new SchemaMap(properties, (schema) => new SchemaNode(schema, this.#anyForIntOrString))
      : none;
  }
}

const none: ReadonlyMap<string, SchemaNode> = new Map();
const noValues: readonly JsonValue[] = [];
