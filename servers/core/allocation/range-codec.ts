import type { Facts } from '#shared/api/facts.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeStored, encodeStored } from '#shared/serializer/codec.ts';
import type { RangeCodec } from './node-ports.ts';

const kind = { group: '', version: 'v1', kind: 'RangeAllocation' };

/** Encodes RangeAllocations as the reference stores them. `mediaType` is that of `--storage-media-type`. */
export function rangeCodec(facts: Facts, mediaType?: string): RangeCodec {
  const schema = facts.schema(kind.group, kind.version, kind.kind);
  if (schema === undefined) throw new Error('the facts have no RangeAllocation');
  return {
    encode: (object) => atOnce(encodeStored(schema, kind, object, mediaType)),
    decode: (stored) => asKubeObject(atOnce(decodeStored(facts, stored)).object),
  };
}
