import type { Facts } from '#shared/api/facts.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { isStoredForm, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { delimitedLength } from '#shared/protobuf/varint.ts';
import {
  appendProtobufOfJson,
  protobufLengthOfJson,
  protobufPiecesOfJson,
} from '#shared/serializer/protobuf/from-json.ts';
import { JoinedBytes, longestHead } from '#shared/serializer/protobuf/joined-bytes.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { metadataStart } from './entry-scan.ts';
import { metadataProtobuf, metaSchema, type MetaVersion } from './metadata-form.ts';
import { protobufOf } from './object-forms.ts';

/** The items of a list in protobuf, each with its tag and length. */
export interface ProtobufItems {
  length(entry: CacheEntry): number;
  append(entry: CacheEntry, out: JoinedBytes): void;
  /** The item of a long entry in pieces, with as few copies as possible. */
  pieces?(entry: CacheEntry): readonly Uint8Array[];
}

/** Objects as protobuf items, made from the stored JSON where that is the served form. */
export function objectItems(scope: RequestScope, field: number): ProtobufItems {
  if (!isStoredForm(scope)) return madeItems(field, (entry) => protobufOf(scope, entry));
  const { schema } = scope;
  const made = madeItems(field, (entry) => protobufOf(scope, entry));
  return {
    length: (entry) =>
      entry.unprinted === undefined ? delimited(protobufLengthOfJson(schema, entry.json)) : made.length(entry),
    append: (entry, out) => {
      if (entry.unprinted !== undefined) made.append(entry, out);
      else
        appendProtobufOfJson(schema, entry.json, 0, out, (length) => {
          out.reserve(longestHead);
          out.head(field, length);
        });
    },
    pieces: (entry) => {
      const pieces =
        entry.unprinted === undefined ? protobufPiecesOfJson(schema, entry.json) : [protobufOf(scope, entry)];
      const head = new JoinedBytes(longestHead);
      head.head(
        field,
        pieces.reduce((sum, { length }) => sum + length, 0),
      );
      return [head.take(), ...pieces];
    },
  };
}

/** PartialObjectMetadata items: messages whose one field is the metadata. */
export function metadataItems(facts: Facts, version: MetaVersion, field: number): ProtobufItems {
  const made = madeItems(field, (entry) => metadataProtobuf(facts, version, entry));
  const inner = metaSchema(facts, version, 'PartialObjectMetadata').byName.get('metadata');
  if (inner?.schema.kind !== 'struct') throw new Error('PartialObjectMetadata has no metadata');
  const { number, schema } = inner as typeof inner & { schema: StructSchema };
  return {
    length: (entry) => {
      const start = metadataStart(entry);
      return start < 0 ? made.length(entry) : delimited(delimited(protobufLengthOfJson(schema, entry.json, start)));
    },
    append: (entry, out) => {
      const start = metadataStart(entry);
      if (start < 0) made.append(entry, out);
      else
        appendProtobufOfJson(schema, entry.json, start, out, (length) => {
          out.reserve(2 * longestHead);
          out.head(field, delimited(length));
          out.head(number, length);
        });
    },
  };
}

function madeItems(field: number, make: (entry: CacheEntry) => Buffer): ProtobufItems {
  return {
    length: (entry) => delimited(make(entry).length),
    append: (entry, out) => {
      const bytes = make(entry);
      out.reserve(longestHead);
      out.head(field, bytes.length);
      out.append(bytes);
    },
  };
}

/** Field numbers below 16 have tags of one byte. */
function delimited(length: number): number {
  return 1 + delimitedLength(length);
}
