import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { noteRespelled } from '#shared/apimachinery/managed-fields/written-lists.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { ListSchema, MapSchema, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import {
  conform,
  conformCustom,
  conformEntry,
  conformItem,
  conformMember,
  conformValue,
  knownStruct,
  put,
  type Conformed,
  type ConformOptions,
} from './conform.ts';
import { DecodeWalk } from './decode-walk.ts';
import { zeroValue } from './zero.ts';

/** As `conform`, for large values: checks the clock after each member and item. */
export function* conformInSteps(schema: StructSchema, value: JsonValue, options: ConformOptions): Steps<Conformed> {
  if (schema.custom !== undefined) return yield* conformCustom(schema, schema.custom, value, options);
  if (!isObject(value) || !isSliced()) return conform(schema, value, options);
  const walk = new DecodeWalk(options.strict, options.namesMapKeys, options.spelled);
  const object = yield* valueInSteps(schema, value, walk);
  if (walk.typeError !== undefined) throw walk.typeError;
  return { object: object as KubeObject, strictErrors: walk.strictErrors };
}

function* valueInSteps(schema: Schema, value: JsonValue, walk: DecodeWalk): Steps<JsonValue | undefined> {
  if (schema.kind === 'struct' && isObject(value) && knownStruct(schema).form === undefined)
    return yield* structInSteps(schema, value, walk);
  if (schema.kind === 'map' && isObject(value)) return yield* mapInSteps(schema, value, walk);
  if (schema.kind === 'list' && Array.isArray(value)) return yield* listInSteps(schema, value, walk);
  return conformValue(schema, value, walk);
}

function* structInSteps(schema: StructSchema, value: JsonObject, walk: DecodeWalk): Steps<JsonValue> {
  const { fields } = knownStruct(schema);
  for (const key of Object.keys(value)) {
    if (sliceIsOver()) yield;
    const member = value[key] as JsonValue;
    const known = fields.get(key);
    if (known === undefined || typeof member !== 'object' || member === null)
      conformMember(known, value, key, member, walk);
    else {
      walk.enterField(schema, known.goPath, key);
      const { isCopied } = walk;
      if (known.field.pointer) walk.isCopied = false;
      put(value, key, member, yield* valueInSteps(known.field.schema, member, walk));
      walk.isCopied = isCopied;
      walk.leaveField();
    }
  }
  return value;
}

function* mapInSteps(schema: MapSchema, value: JsonObject, walk: DecodeWalk): Steps<JsonValue> {
  const { isCopied } = walk;
  walk.isCopied = true;
  for (const key of Object.keys(value)) {
    if (sliceIsOver()) yield;
    const member = value[key] as JsonValue;
    if (typeof member !== 'object' || member === null) conformEntry(schema, value, key, member, walk);
    else {
      walk.enter(key);
      const next = yield* valueInSteps(schema.values, member, walk);
      walk.leave();
      if (next !== member) setKey(value, key, next ?? zeroValue(schema.values));
    }
  }
  walk.isCopied = isCopied;
  return value;
}

function* listInSteps(schema: ListSchema, value: JsonValue[], walk: DecodeWalk): Steps<JsonValue> {
  const { respelledAmounts, isCopied } = walk;
  walk.isCopied = false;
  for (let i = 0; i < value.length; i++) {
    if (sliceIsOver()) yield;
    const item = value[i] as JsonValue;
    if (typeof item !== 'object' || item === null) conformItem(schema, value, i, walk);
    else {
      walk.enter(i);
      const next = yield* valueInSteps(schema.items, item, walk);
      walk.leave();
      if (next !== item) value[i] = next ?? zeroValue(schema.items);
    }
  }
  walk.isCopied = isCopied;
  if (walk.respelledAmounts > respelledAmounts) noteRespelled(value);
  return value;
}
