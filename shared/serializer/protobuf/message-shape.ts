import { Buffer } from 'node:buffer';
import type { Field, ScalarType, Schema, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { mayHoldZeroTime } from '#shared/apimachinery/schema/zero-time.ts';
import { tagBytes } from '#shared/protobuf/varint.ts';
import { schemaForm } from '#shared/serializer/json/schema-forms.ts';
import { AlikeMessages } from './alike-messages.ts';
import { encodeProtobuf } from './encode.ts';

/** The operations that write the content of a value. */
export const valueOp = {
  string: 0,
  bool: 1,
  integer: 2,
  bytes: 3,
  boxed: 4,
  raw: 5,
  intOrString: 6,
  time: 7,
  struct: 8,
} as const;

export type ValueOp = (typeof valueOp)[keyof typeof valueOp];

/**
 * The content of a member: a value, a list or a map of values, a rare type (which is parsed), or nothing in protobuf.
 */
export const holds = { one: 0, list: 1, map: 2, rare: 3, nothing: 4 } as const;

export type Holds = (typeof holds)[keyof typeof holds];

interface Content {
  readonly holds: Holds;
  readonly op: ValueOp;
  /** The schema of a member, item or map value that is a struct. */
  readonly schema: StructSchema | undefined;
}

/** A member of an object, in the order of the JSON. */
export interface Slot extends Content {
  readonly name: string;
  /** `"name":` */
  readonly key: Buffer;
  readonly keyLength: number;
  /** First byte of the name, by which most names differ. */
  readonly first: number;
  /** The tag of the value, of each item of a list, or of each entry of a map. */
  readonly tag: Uint8Array;
  /** The tag of the value in a map entry. */
  readonly valueTag: number;
  /** Whether null is a value of the member. */
  readonly takesNull: boolean;
  /** The bytes written where the member is absent. */
  readonly zero: Uint8Array;
  /** The place in a frame with the position of the value, which is 0 for an absent member. */
  readonly place: number;
  /** The place in a frame with the size of the message that has the field. */
  readonly sizePlace: number;
  /** The struct with only this field, to encode rare values. */
  readonly alone: StructSchema;
  /** Recently encoded messages that probably occur again. */
  readonly alike: AlikeMessages;
}

/** A nested message whose members are among those of the parent in JSON. */
export interface Group {
  readonly tag: Uint8Array;
  readonly sizePlace: number;
  readonly parentSizePlace: number;
  readonly parts: readonly Part[];
}

export interface Part {
  readonly number: number;
  readonly slot: Slot | undefined;
  readonly group: Group | undefined;
}

/**
 * How the JSON of a struct becomes a message. The result of reading one message is a frame of numbers: the end of its
 * nodes, its size, the sizes of its groups, and the position of each member's value.
 */
export interface Message {
  readonly slots: readonly Slot[];
  /** The parts in the order of writing. */
  readonly parts: readonly Part[];
  /** Inner groups come first. */
  readonly groups: readonly Group[];
  /** The initial frame, of a message without members. */
  readonly frame: readonly number[];
}

export const frameEnd = 0;
/**
 * The size of a message. A negative value n stands for a message that is already encoded: its size is -1 - n, and the
 * frame then has only its place in `parts`.
 */
export const frameSize = 1;
/** 0, or 1 + the place in `unlike` of a message that is worth keeping. */
export const frameUnlike = 2;
export const framePart = 2;

/** Thrown for JSON that this server would print differently, and for types that only the object encoder supports. */
export class UnexpectedJson extends Error {}

const messages = new WeakMap<StructSchema, Message>();

export function messageOf(schema: StructSchema): Message {
  let message = messages.get(schema);
  if (message === undefined) messages.set(schema, (message = new Layout().message(schema)));
  return message;
}

class Layout {
  readonly #slots: Slot[] = [];
  readonly #groups: Group[] = [];
  readonly #frame: number[] = [0, 0, 0];

  message(schema: StructSchema): Message {
    return { parts: this.#parts(schema, frameSize), slots: this.#slots, groups: this.#groups, frame: this.#frame };
  }

  #parts(schema: StructSchema, sizePlace: number): Part[] {
    const parts: Part[] = [];
    for (const field of schema.fields) {
      const { number } = field;
      if (number === 0) this.#leaveAside(field, schema);
      else if (field.inline) parts.push({ number, slot: undefined, group: this.#group(field, sizePlace) });
      else parts.push({ number, slot: this.#slot(field, schema, sizePlace), group: undefined });
    }
    return parts.sort((a, b) => a.number - b.number);
  }

  /** Excludes kind and apiVersion from the message: they are in the envelope. */
  #leaveAside(field: Field, schema: StructSchema): void {
    if (!field.inline) this.#slot(field, schema, frameSize);
    else for (const inner of (field.schema as StructSchema).fields) this.#leaveAside({ ...inner, number: 0 }, schema);
  }

  #slot(field: Field, schema: StructSchema, sizePlace: number): Slot {
    const slot = slotOf(field, schema, this.#place(), sizePlace);
    this.#slots.push(slot);
    this.#frame[sizePlace] = (this.#frame[sizePlace] as number) + slot.zero.length;
    return slot;
  }

  #group({ number, pointer, schema }: Field, parentSizePlace: number): Group {
    if (pointer) throw new UnexpectedJson();
    const sizePlace = this.#place();
    const group = {
      tag: tagBytes(number, 2),
      sizePlace,
      parentSizePlace,
      parts: this.#parts(schema as StructSchema, sizePlace),
    };
    this.#groups.push(group);
    return group;
  }

  #place(): number {
    return this.#frame.push(0) - 1;
  }
}

function slotOf(field: Field, schema: StructSchema, place: number, sizePlace: number): Slot {
  const { name, number } = field;
  const key = Buffer.from(`${JSON.stringify(name)}:`);
  const alone: StructSchema = { ...schema, fields: [field] };
  const content = number === 0 ? unwritten : (contentOf(field.schema) ?? rare);
  const wireType = wireTypes[content.op];
  return {
    ...content,
    name,
    key,
    keyLength: key.length,
    first: key[1] as number,
    place,
    sizePlace,
    alone,
    alike: new AlikeMessages(),
    tag: tagBytes(number, content.holds === holds.map ? 2 : wireType),
    valueTag: 16 + wireType,
    takesNull: mayHoldZeroTime(field),
    zero: number === 0 ? new Uint8Array(0) : encodeProtobuf(alone, {}),
  };
}

const unwritten: Content = { holds: holds.nothing, op: valueOp.string, schema: undefined };
const rare: Content = { holds: holds.rare, op: valueOp.string, schema: undefined };

/** The content of a member; undefined for rare types. */
function contentOf(schema: Schema): Content | undefined {
  if (schema.kind === 'map') return valueContent(schema.values, holds.map);
  if (schema.kind === 'list') return schema.wrapped === true ? undefined : valueContent(schema.items, holds.list);
  return valueContent(schema, holds.one);
}

function valueContent(schema: Schema, held: Holds): Content | undefined {
  if (schema.kind === 'struct')
    return schema.custom === undefined && schemaForm(schema) === undefined
      ? { holds: held, op: valueOp.struct, schema }
      : undefined;
  const op = schema.kind === 'scalar' ? scalarOps[schema.type] : undefined;
  return op === undefined ? undefined : { holds: held, op, schema: undefined };
}

/** Scalars without an entry are rare types. */
const scalarOps: Partial<Record<ScalarType, ValueOp>> = {
  string: valueOp.string,
  bool: valueOp.bool,
  int32: valueOp.integer,
  int64: valueOp.integer,
  uint32: valueOp.integer,
  uint64: valueOp.integer,
  bytes: valueOp.bytes,
  quantity: valueOp.boxed,
  intOrString: valueOp.intOrString,
  time: valueOp.time,
  rawExtension: valueOp.raw,
  fieldsV1: valueOp.raw,
  json: valueOp.raw,
};

const wireTypes: Readonly<Record<ValueOp, number>> = {
  [valueOp.string]: 2,
  [valueOp.bool]: 0,
  [valueOp.integer]: 0,
  [valueOp.bytes]: 2,
  [valueOp.boxed]: 2,
  [valueOp.raw]: 2,
  [valueOp.intOrString]: 2,
  [valueOp.time]: 2,
  [valueOp.struct]: 2,
};
