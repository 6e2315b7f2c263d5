import { ProtobufError, type ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';

/** A message with a hand-written reader. */
export interface SmallMessage {
  /** The Go name of the message, for errors. */
  readonly name: string;
  /** Go name and wire type by field number. */
  readonly fields: readonly (readonly [name: string, wireType: number] | undefined)[];
}

/** Calls `read` with the reader at the value of each known field, up to `stop`; unknown fields are skipped. */
export function readFields(
  reader: ProtobufReader,
  { name, fields }: SmallMessage,
  stop: number,
  read: (number: number) => void,
): void {
  while (reader.position < stop) {
    const key = reader.tag(name, stop);
    const field = fields[key >>> 3];
    if (field === undefined) reader.skip(key & 7, stop);
    else if (field[1] === (key & 7)) read(key >>> 3);
    else throw wrongWireType(key & 7, field[0]);
  }
}

export function wrongWireType(wireType: number, field: string): ProtobufError {
  return new ProtobufError(`proto: wrong wireType = ${wireType} for field ${field}`);
}
