import { encodeCborWatchFrame } from './cbor/encode.ts';
import { cborType, protobufType, type MediaType } from './negotiate.ts';
import { encodeWatchFrame } from './protobuf/envelope.ts';

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const heads = new Map<WatchEventType, Buffer>();
const tail = Buffer.from('}\n');

function headOf(type: WatchEventType): Buffer {
  let head = heads.get(type);
  if (head === undefined) heads.set(type, (head = Buffer.from(`{"type":"${type}","object":`)));
  return head;
}

/**
 * One event of a watch: in JSON a line with the object's bytes as they are, in protobuf a length-prefixed frame with
 * the object in its envelope, in CBOR a data item.
 */
export function watchFrame(mediaType: MediaType, type: WatchEventType, object: Uint8Array): Buffer {
  switch (mediaType) {
    case protobufType:
      return encodeWatchFrame(type, object);
    case cborType:
      return encodeCborWatchFrame(type, object);
    default:
      return Buffer.concat([headOf(type), object, tail]);
  }
}
