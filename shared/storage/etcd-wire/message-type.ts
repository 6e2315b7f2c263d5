/**
 * How a scalar is decoded: `int64` as number; `id` (int64) and `uid` (uint64) as decimal string, `'0'` when absent;
 * an enum as its name, by position in `names`.
 */
type WireScalarKind = 'int64' | 'id' | 'uid' | 'bool' | 'bytes' | 'string';

export interface MessageField {
  readonly number: number;
  readonly name: string;
  readonly kind: WireScalarKind | 'enum' | 'message';
  readonly repeated: boolean;
  /** Names of an enum's values by number. */
  readonly names: readonly string[];
  /** The type of a nested message; a function, since types may refer to each other circularly. */
  readonly type: (() => MessageType<object>) | undefined;
}

export interface MessageType<T> {
  readonly name: string;
  /** A message with every default in place, always of the same shape. */
  readonly create: () => T;
  /** Highest number first: the writer works backwards, so the encoded fields are in ascending order. */
  readonly fields: readonly MessageField[];
  /** Fields by tag (number × 8 + wire type); repeated enums also under their packed tag. */
  readonly byTag: readonly (MessageField | undefined)[];
}

type FieldSpec = Omit<MessageField, 'number' | 'name'>;

function scalar(kind: WireScalarKind, repeated = false): FieldSpec {
  return { kind, repeated, names: [], type: undefined };
}

export const int64 = scalar('int64');
export const id = scalar('id');
export const uid = scalar('uid');
export const bool = scalar('bool');
export const bytes = scalar('bytes');
export const string = scalar('string');
export const bytesList = scalar('bytes', true);
export const stringList = scalar('string', true);

export function enumeration(...names: string[]): FieldSpec {
  return { kind: 'enum', repeated: false, names, type: undefined };
}

export function enumList(...names: string[]): FieldSpec {
  return { kind: 'enum', repeated: true, names, type: undefined };
}

export function messageField(type: () => MessageType<unknown>): FieldSpec {
  return { kind: 'message', repeated: false, names: [], type: type as unknown as () => MessageType<object> };
}

export function messageList(type: () => MessageType<unknown>): FieldSpec {
  return { ...messageField(type), repeated: true };
}

/** Declares a message: its fields as `name: [number, kind]`. */
export function messageType<T extends object>(
  name: string,
  create: () => T,
  specs: { readonly [K in keyof T & string]-?: readonly [number, FieldSpec] },
): MessageType<T> {
  const fields: MessageField[] = [];
  const byTag: (MessageField | undefined)[] = [];
  for (const [fieldName, [number, spec]] of Object.entries<readonly [number, FieldSpec]>(specs)) {
    const field: MessageField = { number, name: fieldName, ...spec };
    fields.push(field);
    byTag[number * 8 + wireType(field)] = field;
    if (field.kind === 'enum' && field.repeated) byTag[number * 8 + 2] = field;
  }
  fields.sort((a, b) => b.number - a.number);
  return { name, create, fields, byTag };
}

export function wireType(field: MessageField): 0 | 2 {
  return field.kind === 'bytes' || field.kind === 'string' || field.kind === 'message' ? 2 : 0;
}
