import type { Facts } from '../../api/facts.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../apimachinery/gvk.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { failureStatus, StatusError } from '../../apimachinery/status.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { looseText } from '../../serializer/json/loose.ts';
import { protobufType, type Negotiated } from '../../serializer/negotiate.ts';
import type { CacheEntry } from '../../watchcache/watch-cache.ts';
import { jsonOf, protobufOf, textBody } from '../forms/object-forms.ts';
import { metadataJson, metadataProtobuf, metaGroup, metaSchema } from '../forms/metadata-form.ts';
import { protobufListBody } from '../forms/protobuf-list.ts';
import { listMetaText, parseTableOptions, tableBody } from '../forms/table-form.ts';
import { goInternalName, type RequestScope } from '../request-scope.ts';
import { sendBody } from './send-body.ts';
import { isPretty } from './write-error.ts';

export interface ListAnswer {
  readonly entries: readonly CacheEntry[];
  readonly revision: number;
  readonly continue: string;
  readonly remainingItemCount: number | undefined;
}

/** Answers with a list: a head, the bytes of the items as the cache holds them, a tail. */
export function writeList(facts: Facts, context: RequestContext, scope: RequestScope, answer: ListAnswer, form: Negotiated): void {
  const chunks = listBody(facts, context, scope, answer, form);
  const { mediaType } = form;
  const pretty = form.pretty || isPretty(context);
  if (mediaType === protobufType) sendBody(context, 200, mediaType, chunks);
  else if (mediaType === 'application/yaml' || pretty) sendBody(context, 200, mediaType, textBody(Buffer.concat(chunks), mediaType, pretty));
  else sendBody(context, 200, mediaType, [...chunks, newline]);
}

const newline = Buffer.from('\n');

function listBody(facts: Facts, context: RequestContext, scope: RequestScope, answer: ListAnswer, form: Negotiated): Buffer[] {
  const metadata = listMetadata(answer);
  const { transform } = form;
  if (transform === undefined) return ownListBody(facts, scope, answer.entries, metadata, form.mediaType === protobufType);
  switch (transform.kind) {
    case 'Table': return tableBody(facts, scope, answer.entries, metadata, transform.version, parseTableOptions(context.info.query));
    case 'PartialObjectMetadataList': return metadataListBody(facts, answer.entries, metadata, transform.version, form.mediaType === protobufType);
    case 'PartialObjectMetadata': throw new StatusError(failureStatus(406, 'NotAcceptable',
      `you requested PartialObjectMetadata, but the requested object is a list (${goInternalName({ group: scope.facts.group, kind: scope.facts.listKind })})`));
  }
}

export function listMetadata(answer: ListAnswer): JsonObject {
  return {
    resourceVersion: String(answer.revision),
    ...(answer.continue === '' ? {} : { continue: answer.continue }),
    ...(answer.remainingItemCount === undefined ? {} : { remainingItemCount: answer.remainingItemCount }),
  };
}

function ownListBody(facts: Facts, scope: RequestScope, entries: readonly CacheEntry[], metadata: JsonObject, protobuf: boolean): Buffer[] {
  const { group, version, listKind } = scope.facts;
  const kind: GroupVersionKind = { group, version, kind: listKind };
  if (protobuf) {
    const schema = facts.schema(group, version, listKind);
    if (schema === undefined) throw new Error(`no schema of ${listKind}`);
    return protobufListBody(kind, schema, metadata, entries.map((entry) => protobufOf(scope, entry)));
  }
  if (scope.schema.custom !== undefined) return customList(kind, metadata, entries, (entry) => jsonOf(scope, entry));
  // Items of a typed list do not say their kind: it stands at the head of each entry, and is skipped.
  const skip = Buffer.byteLength(`{"kind":"${scope.facts.kind}","apiVersion":"${formatGroupVersion(kind)}",`);
  return jsonList(kind, metadata, entries, open, (entry) => jsonOf(scope, entry).subarray(skip));
}

function metadataListBody(facts: Facts, entries: readonly CacheEntry[], metadata: JsonObject, version: 'v1' | 'v1beta1', protobuf: boolean): Buffer[] {
  const kind: GroupVersionKind = { group: metaGroup, version, kind: 'PartialObjectMetadataList' };
  if (protobuf) {
    return protobufListBody(kind, metaSchema(facts, version, kind.kind), metadata, entries.map((entry) => metadataProtobuf(facts, version, entry)));
  }
  return jsonList(kind, metadata, entries, empty, (entry) => metadataJson(facts, version, entry));
}

/** Lists of custom resources are printed with sorted keys, and say an empty `continue`. */
function customList(kind: GroupVersionKind, metadata: JsonObject, entries: readonly CacheEntry[], item: (entry: CacheEntry) => Buffer): Buffer[] {
  const chunks: Buffer[] = [Buffer.from(`{"apiVersion":"${formatGroupVersion(kind)}","items":[`)];
  for (const entry of entries) {
    if (chunks.length > 1) chunks.push(comma);
    chunks.push(item(entry));
  }
  chunks.push(Buffer.from(`],"kind":"${kind.kind}","metadata":${looseText({ continue: '', ...metadata })}}`));
  return chunks;
}

const comma = Buffer.from(',');
const empty = Buffer.alloc(0);
const open = Buffer.from('{');
const tail = Buffer.from(']}');

function jsonList(kind: GroupVersionKind, metadata: JsonObject, entries: readonly CacheEntry[], before: Buffer, item: (entry: CacheEntry) => Buffer): Buffer[] {
  const head = `{"kind":"${kind.kind}","apiVersion":"${formatGroupVersion(kind)}","metadata":${listMetaText(metadata)},"items":[`;
  const separator = Buffer.concat([Buffer.from(','), before]);
  const chunks: Buffer[] = [Buffer.from(head)];
  for (const entry of entries) {
    const between = chunks.length === 1 ? before : separator;
    if (between.length > 0 || chunks.length > 1) chunks.push(between);
    chunks.push(item(entry));
  }
  chunks.push(tail);
  return chunks;
}
