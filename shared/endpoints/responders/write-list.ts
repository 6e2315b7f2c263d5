import type { Facts } from '#shared/api/facts.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { inSlices, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { cborItemOf, cborListBody } from '#shared/endpoints/forms/cbor-list.ts';
import { endOfRun, type ListBody } from '#shared/endpoints/forms/list-body.ts';
import { metadataCborItem, metadataChunks, metaGroup, metaSchema } from '#shared/endpoints/forms/metadata-form.ts';
import { jsonOf } from '#shared/endpoints/forms/object-forms.ts';
import { metadataItems, objectItems } from '#shared/endpoints/forms/protobuf-items.ts';
import { itemsField, protobufListFrame } from '#shared/endpoints/forms/protobuf-list.ts';
import { ProtobufRuns } from '#shared/endpoints/forms/protobuf-runs.ts';
import { listMetaText, parseTableOptions, tableListBody } from '#shared/endpoints/forms/table-form.ts';
import { listTextPieces } from '#shared/endpoints/forms/text-pieces.ts';
import type { ListAnswer } from '#shared/endpoints/request/list-answer.ts';
import { goInternalName, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { responseSpan } from '#shared/endpoints/tracing/response-span.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { cborType, protobufType, type MediaType, type Negotiated } from '#shared/serializer/negotiate.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { knownRun } from './gzip/compressed-runs.ts';
import { notOfLists } from './metadata-refusal.ts';
import { auditedForm, noteList } from './note-response.ts';
import { sendListBody } from './send-list-body.ts';
import { sendPieces } from './send-pieces.ts';
import { isPretty } from './write-error.ts';

/** Writes a list: a head, the bytes of the items from the cache, and a tail. */
export function writeList(
  context: RequestContext,
  scope: RequestScope,
  answer: ListAnswer,
  form: Negotiated,
): void | Promise<void> {
  const span = responseSpan(context, scope, form);
  const sent = sendList(context, scope, answer, form);
  return span === undefined ? sent : span.end(sent);
}

async function sendList(
  context: RequestContext,
  scope: RequestScope,
  answer: ListAnswer,
  form: Negotiated,
): Promise<void> {
  const startedMs = context.audit === undefined ? 0 : performance.now();
  const body = await listBody(context, scope, answer, form);
  context.audit?.noteWriting(startedMs);
  const { mediaType, transform } = form;
  const pretty = form.pretty || isPretty(context);
  if (context.audit?.keepsResponse === true)
    await noteList(context, { ...form, pretty }, () => listBody(context, scope, answer, auditedForm(form)));
  if (mediaType === protobufType || mediaType === cborType) return sendListBody(context, mediaType, body);
  if (mediaType !== 'application/yaml' && !pretty)
    return sendListBody(context, mediaType, { ...body, tail: [...body.tail, newline] });
  return sendPieces(
    context,
    200,
    mediaType,
    listTextPieces(body, transform?.kind === 'Table' ? 'rows' : 'items', mediaType),
  );
}

const newline = Buffer.from('\n');

function listBody(
  context: RequestContext,
  scope: RequestScope,
  answer: ListAnswer,
  form: Negotiated,
): ListBody | Promise<ListBody> {
  const metadata = listMetadata(answer);
  const { transform } = form;
  // Other forms of a list carry no shard info (endpoints/handlers/response.go).
  const shardInfo = answer.shard === '' ? {} : { shardInfo: { selector: answer.shard } };
  if (transform === undefined) return ownListBody(scope, answer.entries, { ...metadata, ...shardInfo }, form.mediaType);
  switch (transform.kind) {
    case 'Table':
      return tableListBody(scope, answer.entries, metadata, transform.version, parseTableOptions(context.info.query));
    case 'PartialObjectMetadataList':
      return metadataListBody(scope.env.facts, answer.entries, metadata, transform.version, form.mediaType);
    case 'PartialObjectMetadata':
      throw notOfLists(
        scope.schema.custom === undefined
          ? goInternalName({ group: scope.facts.group, kind: scope.facts.listKind })
          : '*unstructured.UnstructuredList',
      );
  }
}

export function listMetadata(answer: ListAnswer): JsonObject {
  return {
    resourceVersion: String(answer.revision),
    ...(answer.continue === '' ? {} : { continue: answer.continue }),
    ...(answer.remainingItemCount === undefined ? {} : { remainingItemCount: answer.remainingItemCount }),
  };
}

function ownListBody(
  scope: RequestScope,
  entries: readonly CacheEntry[],
  metadata: JsonObject,
  mediaType: MediaType,
): ListBody | Promise<ListBody> {
  const { group, version, listKind } = scope.facts;
  const kind: GroupVersionKind = { group, version, kind: listKind };
  if (mediaType === protobufType) {
    const schema = scope.env.facts.schema(group, version, listKind);
    if (schema === undefined) throw new Error(`no schema of ${listKind}`);
    return protobufList(
      kind,
      schema,
      metadata,
      entries,
      new ProtobufRuns(`list protobuf ${scope.formId}`, entries, objectItems(scope, itemsField(schema))),
    );
  }
  const formId = `list json ${scope.formId}`;
  const json =
    scope.schema.custom === undefined
      ? typedList(scope, kind, metadata, entries, formId)
      : customList(kind, metadata, entries, formId, (entry) => jsonOf(scope, entry));
  return mediaType === cborType ? cborListBody(json, (entry) => cborItemOf(scope, entry)) : json;
}

/** Items of a typed list carry no kind and apiVersion: they are at the head of each entry, and are skipped. */
function typedList(
  scope: RequestScope,
  kind: GroupVersionKind,
  metadata: JsonObject,
  entries: readonly CacheEntry[],
  formId: string,
): ListBody {
  const skip = Buffer.byteLength(`{"kind":"${scope.facts.kind}","apiVersion":"${formatGroupVersion(kind)}",`);
  return jsonList(kind, metadata, entries, formId, (entry) => [open, jsonOf(scope, entry).subarray(skip)]);
}

function metadataListBody(
  facts: Facts,
  entries: readonly CacheEntry[],
  metadata: JsonObject,
  version: 'v1' | 'v1beta1',
  mediaType: MediaType,
): ListBody | Promise<ListBody> {
  const kind: GroupVersionKind = { group: metaGroup, version, kind: 'PartialObjectMetadataList' };
  if (mediaType !== protobufType) {
    const json = jsonList(kind, metadata, entries, `list metadata json ${version}`, (entry) =>
      metadataChunks(facts, version, entry),
    );
    // The reference leaves `items` nil where the list is empty.
    const shown = entries.length === 0 ? { ...json, head: [listHead(kind, metadata)], tail: [nullTail] } : json;
    return mediaType === cborType ? cborListBody(shown, (entry) => metadataCborItem(facts, version, entry)) : shown;
  }
  const schema = metaSchema(facts, version, kind.kind);
  return protobufList(
    kind,
    schema,
    metadata,
    entries,
    new ProtobufRuns('list metadata protobuf', entries, metadataItems(facts, version, itemsField(schema))),
  );
}

/** The envelope has the length of all items in front of them, so the length is computed before they are written. */
async function protobufList(
  kind: GroupVersionKind,
  schema: StructSchema,
  metadata: JsonObject,
  entries: readonly CacheEntry[],
  runs: ProtobufRuns,
): Promise<ListBody> {
  const body = {
    formId: runs.formId,
    clock: undefined,
    between: empty,
    entries,
    item: (entry: CacheEntry) => [runs.one(entry)],
    joined: (start: number, end: number) => runs.pieces(start, end),
  };
  return { ...body, ...protobufListFrame(kind, schema, metadata, await inSlices(itemsBytes(body, runs))) };
}

function* itemsBytes(body: Pick<ListBody, 'formId' | 'clock' | 'entries'>, runs: ProtobufRuns): Steps<number> {
  const { entries } = body;
  let size = 0;
  for (let start = 0, end = 0; start < entries.length; start = end) {
    end = endOfRun(entries, start);
    size += knownRun(body, entries, start, end)?.length ?? (yield* runs.length(start, end));
    if (sliceIsOver()) yield;
  }
  return size;
}

/** Lists of custom resources are printed with sorted keys, and include an empty `continue`. */
function customList(
  kind: GroupVersionKind,
  metadata: JsonObject,
  entries: readonly CacheEntry[],
  formId: string,
  item: (entry: CacheEntry) => Buffer,
): ListBody {
  const head = Buffer.from(`{"apiVersion":"${formatGroupVersion(kind)}","items":[`);
  const end = Buffer.from(`],"kind":"${kind.kind}","metadata":${looseText({ continue: '', ...metadata })}}`);
  return {
    formId,
    clock: undefined,
    head: [head],
    between: comma,
    entries,
    item: (entry) => [item(entry)],
    tail: [end],
  };
}

const comma = Buffer.from(',');
const empty = Buffer.alloc(0);
const open = Buffer.from('{');
const openList = Buffer.from('[');
const nullTail = Buffer.from('null}');
const tail = Buffer.from(']}');

function jsonList(
  kind: GroupVersionKind,
  metadata: JsonObject,
  entries: readonly CacheEntry[],
  formId: string,
  item: ListBody['item'],
): ListBody {
  return {
    formId,
    clock: undefined,
    head: [listHead(kind, metadata), openList],
    between: comma,
    entries,
    item,
    tail: [tail],
  };
}

function listHead(kind: GroupVersionKind, metadata: JsonObject): Buffer {
  return Buffer.from(
    `{"kind":"${kind.kind}","apiVersion":"${formatGroupVersion(kind)}","metadata":${listMetaText(metadata)},"items":`,
  );
}
