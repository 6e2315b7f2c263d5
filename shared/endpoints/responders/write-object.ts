import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { asKubeObject, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Pieces } from '#shared/endpoints/forms/list-body.ts';
import {
  metadataJson,
  metadataProtobuf,
  metaGroup,
  metaSchema,
  partialMetadata,
} from '#shared/endpoints/forms/metadata-form.ts';
import { encodedPieces, objectPieces, servedObject } from '#shared/endpoints/forms/object-forms.ts';
import { parseTableOptions, tableBody, tableOfObject, tableOfObjects } from '#shared/endpoints/forms/table-form.ts';
import { textPieces } from '#shared/endpoints/forms/text-pieces.ts';
import { goInternalName, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import { responseSpan } from '#shared/endpoints/tracing/response-span.ts';
import type { NotedStatus } from '#shared/request/request-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { jsonText } from '#shared/serializer/json/encode.ts';
import type { Negotiated, ResponseTransform } from '#shared/serializer/negotiate.ts';
import { wrapUnknown } from '#shared/serializer/protobuf/envelope.ts';
import { spanEvent } from '#shared/spans/active-span.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { notOfLists, onlyOfLists } from './metadata-refusal.ts';
import { auditedForm, noteResponse } from './note-response.ts';
import { sendForm } from './send-body.ts';
import { isPretty } from './write-error.ts';

/** Writes one stored object: its bytes as they are in the cache, or another form of it. */
export function writeEntry(
  context: RequestContext,
  scope: RequestScope,
  status: number,
  entry: CacheEntry,
  form: Negotiated,
): void | Promise<void> {
  const shown = withPretty(context, form);
  const startedMs = context.audit === undefined ? 0 : performance.now();
  const pieces = entryPieces(context, scope, entry, shown);
  context.audit?.noteWriting(startedMs);
  if (context.audit?.keepsResponse === true)
    noteResponse(context, shown, () => entryPieces(context, scope, entry, auditedForm(form)));
  spanEvent('About to write a response');
  const span = responseSpan(context, scope, shown, pieces);
  const sent = sendForm(context, status, form.mediaType, pieces);
  return span === undefined ? sent : span.end(sent).finally(() => spanEvent('Writing http response done'));
}

function withPretty(context: RequestContext, form: Negotiated): Negotiated {
  return form.pretty || !isPretty(context) ? form : { ...form, pretty: true };
}

function entryPieces(context: RequestContext, scope: RequestScope, entry: CacheEntry, form: Negotiated): Pieces {
  const { transform, mediaType, pretty } = form;
  const otherKind = scope.subresource?.view !== undefined && scope.kind.kind !== scope.facts.kind;
  if (transform === undefined) return objectPieces(scope, entry, mediaType, pretty);
  switch (transform.kind) {
    case 'PartialObjectMetadataList':
      if (scope.schema.custom !== undefined) throw new StatusError(failureStatus(500, '', 'content is not a list'));
      throw onlyOfLists(scope.rest.schema.custom === undefined ? goInternalName(scope.kind) : `*v1.${scope.kind.kind}`);
    case 'PartialObjectMetadata': {
      const kind = { group: metaGroup, version: transform.version, kind: 'PartialObjectMetadata' };
      if (otherKind && mediaType !== 'application/vnd.kubernetes.protobuf') {
        const { metadata } = servedObject(scope, entry);
        const schema = metaSchema(scope.env.facts, transform.version, kind.kind);
        const text = jsonText(schema, partialMetadata(transform.version, metadata));
        return textPieces(Buffer.from(text), mediaType, pretty);
      }
      return mediaType === 'application/vnd.kubernetes.protobuf'
        ? [wrapUnknown(kind, metadataProtobuf(scope.env.facts, transform.version, entry))]
        : textPieces(metadataJson(scope.env.facts, transform.version, entry), mediaType, pretty);
    }
    case 'Table': {
      const options = parseTableOptions(context.info.query);
      const chunks = otherKind
        ? tableOfObject(scope, servedObject(scope, entry), transform.version, options)
        : tableBody(scope, [entry], { resourceVersion: String(entry.revision) }, transform.version, options);
      return textPieces(Buffer.concat(chunks), mediaType, pretty);
    }
  }
}

/** Writes an object that is not stored (reviews, bindings, Scale of a write, Status). */
export function writeObject(
  context: RequestContext,
  scope: RequestScope,
  status: number,
  object: KubeObject,
  form: Negotiated,
): void | Promise<void> {
  const kind = kindOf(scope, object);
  const isStatus = kind.kind === 'Status' && kind.group === '';
  const asked = isStatus ? { ...form, transform: undefined } : form;
  const shown = withPretty(context, asked);
  const startedMs = context.audit === undefined ? 0 : performance.now();
  const pieces = unstoredPieces(context, scope, object, shown);
  context.audit?.noteWriting(startedMs);
  if (isStatus) context.audit?.noteStatus(object as NotedStatus);
  if (context.audit?.keepsResponse === true)
    noteResponse(context, shown, () => unstoredPieces(context, scope, object, auditedForm(asked)));
  spanEvent('About to write a response');
  const span = responseSpan(context, scope, shown, pieces);
  const sent = sendForm(context, status, form.mediaType, pieces);
  return span === undefined ? sent : span.end(sent).finally(() => spanEvent('Writing http response done'));
}

function unstoredPieces(context: RequestContext, scope: RequestScope, object: KubeObject, form: Negotiated): Pieces {
  const kind = kindOf(scope, object);
  const { transform, mediaType, pretty } = form;
  if (transform === undefined) {
    const schema = scope.env.facts.schema(kind.group, kind.version, kind.kind) ?? scope.schema;
    return encodedPieces(schema, kind, object, mediaType, pretty);
  }
  const items = kind.kind === scope.facts.listKind ? objectsAt(object, 'items').map(asKubeObject) : undefined;
  if (transform.kind === 'Table') {
    const options = parseTableOptions(context.info.query);
    const chunks =
      items === undefined
        ? tableOfObject(scope, object, transform.version, options)
        : tableOfObjects(scope, items, transform.version, options);
    return textPieces(Buffer.concat(chunks), mediaType, pretty);
  }
  return encodedPieces(
    metaSchema(scope.env.facts, transform.version, transform.kind),
    { group: metaGroup, version: transform.version, kind: transform.kind },
    metadataOnly(kind, object, items, transform),
    mediaType,
    pretty,
  );
}

/**
 * The metadata of an object, or of the items of a list. Throws 406 where the client requested the metadata of a list
 * for an object, or the reverse.
 */
function metadataOnly(
  kind: GroupVersionKind,
  object: KubeObject,
  items: readonly KubeObject[] | undefined,
  wanted: ResponseTransform,
): KubeObject {
  if (wanted.kind === 'PartialObjectMetadata') {
    if (items !== undefined) throw notOfLists(goInternalName(kind));
    return asKubeObject(partialMetadata(wanted.version, object.metadata ?? {}));
  }
  if (items === undefined) throw onlyOfLists(goInternalName(kind));
  return asKubeObject({
    kind: wanted.kind,
    apiVersion: `${metaGroup}/${wanted.version}`,
    metadata: object.metadata ?? {},
    items: items.map(({ metadata }) => partialMetadata(wanted.version, metadata)),
  });
}

function kindOf(scope: RequestScope, object: KubeObject): RequestScope['kind'] {
  if (object.kind === undefined || object.apiVersion === undefined) return scope.kind;
  const slash = object.apiVersion.indexOf('/');
  return {
    group: slash < 0 ? '' : object.apiVersion.slice(0, slash),
    version: object.apiVersion.slice(slash + 1),
    kind: object.kind,
  };
}
