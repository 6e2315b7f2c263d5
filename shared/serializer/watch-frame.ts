import { encodeWatchFrame } from './protobuf/envelope.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const heads = new Map<WatchEventType, Buffer>();
const tail = Buffer.from('}\n');

function headOf(type: WatchEventType): Buffer {
  let head = heads.get(type);
  if (head === undefined) heads.set(type, (head = Buffer.from(`{"type":"${type}","object":`)));
  return head;
}

/** One event of a JSON watch: a line with the object's bytes as they are. */
export function jsonWatchFrame(type: WatchEventType, object: Uint8Array): Buffer {
  return Buffer.concat([headOf(type), object, tail]);
}

/** One event of a protobuf watch: a length-prefixed frame around the object in its envelope. */
export function protobufWatchFrame(type: WatchEventType, wrappedObject: Uint8Array): Buffer {
  return encodeWatchFrame(type, wrappedObject);
}
