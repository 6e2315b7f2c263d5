import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { isFloatIn } from '#shared/apimachinery/json/whole-floats.ts';
import type { Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import { CelDouble, CelList, CelMap, type Value } from '#shared/cel/values/value.ts';
import { fieldWriters, zeroText, type FieldWriter } from '#shared/serializer/json/encode.ts';

/**
 * A value of a type as expressions see it: with the members that Go prints, which are those of the JSON and the zero
 * values of fields that are never left out (`resources: {}` of each container). It is a view: only what an expression
 * reads is looked at.
 */
export function typedValue(schema: Schema, json: JsonValue | undefined): Value {
  if (json === undefined || json === null) return null;
  switch (schema.kind) {
    case 'struct':
      if (schema.custom !== undefined) return looseValue(json);
      return schema.jsonForm === undefined && isObject(json) ? new StructView(schema, json) : jsonValue(json);
    case 'map':
      return isObject(json) ? new MapView(schema.values, json) : jsonValue(json);
    case 'list':
      return Array.isArray(json) ? new ListView(schema.items, json) : jsonValue(json);
    case 'scalar':
      return typeof json === 'number' && (schema.type === 'double' || schema.type === 'float')
        ? new CelDouble(json)
        : jsonValue(json);
  }
}

/** A value of a custom resource: numbers that were written as floats are doubles. */
function looseValue(json: JsonValue): Value {
  if (Array.isArray(json)) return new LooseList(json);
  return isObject(json) ? new LooseMap(json) : jsonValue(json);
}

function looseMember(holder: object, key: string, json: JsonValue): Value {
  return typeof json === 'number' && isFloatIn(holder, key) ? new CelDouble(json) : looseValue(json);
}

const writersByName = new WeakMap<StructSchema, ReadonlyMap<string, FieldWriter>>();

function writersOf(schema: StructSchema): ReadonlyMap<string, FieldWriter> {
  let writers = writersByName.get(schema);
  if (writers === undefined)
    writersByName.set(schema, (writers = new Map(fieldWriters(schema).map((writer) => [writer.name, writer]))));
  return writers;
}

class StructView extends CelMap {
  readonly #schema: StructSchema;
  readonly #json: JsonObject;

  constructor(schema: StructSchema, json: JsonObject) {
    super();
    this.#schema = schema;
    this.#json = json;
  }

  get size(): number {
    return this.#printed().length;
  }

  find(key: Value): Value | undefined {
    const writer = typeof key === 'string' ? writersOf(this.#schema).get(key) : undefined;
    return writer === undefined ? undefined : this.#member(writer);
  }

  keys(): Iterable<Value> {
    return this.#printed();
  }

  #printed(): string[] {
    return fieldWriters(this.#schema)
      .filter((writer) => this.#member(writer) !== undefined)
      .map(({ name }) => name);
  }

  #member(writer: FieldWriter): Value | undefined {
    const json = getKey(this.#json, writer.name);
    if (json !== undefined && json !== null)
      return writer.omit?.(json) === true ? undefined : typedValue(writer.schema, json);
    if (json === null && writer.takesNull) return null;
    return writer.absent() === undefined ? undefined : zeroOf(writer);
  }
}

function zeroOf({ schema, absent }: FieldWriter): Value {
  return absent() === 'null' ? null : typedValue(schema, JSON.parse(zeroText(schema)) as JsonValue);
}

class MapView extends CelMap {
  readonly #values: Schema;
  readonly #json: JsonObject;

  constructor(values: Schema, json: JsonObject) {
    super();
    this.#values = values;
    this.#json = json;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  find(key: Value): Value | undefined {
    const json = typeof key === 'string' ? getKey(this.#json, key) : undefined;
    return json === undefined ? undefined : itemValue(this.#values, json);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#json);
  }
}

class ListView extends CelList {
  readonly #items: Schema;
  readonly #json: readonly JsonValue[];

  constructor(items: Schema, json: readonly JsonValue[]) {
    super();
    this.#items = items;
    this.#json = json;
  }

  get size(): number {
    return this.#json.length;
  }

  get(index: number): Value {
    return itemValue(this.#items, this.#json[index] ?? null);
  }
}

/** An item that is null is the zero value of its type. */
function itemValue(schema: Schema, json: JsonValue): Value {
  return typedValue(schema, json ?? (JSON.parse(zeroText(schema)) as JsonValue));
}

class LooseMap extends CelMap {
  readonly #json: JsonObject;

  constructor(json: JsonObject) {
    super();
    this.#json = json;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  find(key: Value): Value | undefined {
    const json = typeof key === 'string' ? getKey(this.#json, key) : undefined;
    return json === undefined ? undefined : looseMember(this.#json, String(key), json);
  }

  keys(): Iterable<Value> {
    return Object.keys(this.#json);
  }
}

class LooseList extends CelList {
  readonly #json: readonly JsonValue[];

  constructor(json: readonly JsonValue[]) {
    super();
    this.#json = json;
  }

  get size(): number {
    return this.#json.length;
  }

  get(index: number): Value {
    return looseMember(this.#json, String(index), this.#json[index] ?? null);
  }
}
