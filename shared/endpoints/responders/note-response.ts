import { Buffer } from 'node:buffer';
import { findMemberStart } from '#shared/apimachinery/json/json-bytes.ts';
import { inSlices, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { listPieces, type ListBody, type Pieces } from '#shared/endpoints/forms/list-body.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { Negotiated } from '#shared/serializer/negotiate.ts';
import { acceptsGzip } from './accept-encoding.ts';
import { withoutFieldManagers, type ObjectPlace } from './strip-managers.ts';

/** Smaller bodies are never compressed. */
const compressedAboveBytes = 128 * 1024;
/** Short pieces of lists are joined to so many bytes. */
const joinedBytes = 64 * 1024;
const rowsKey = Buffer.from('"rows"');

/** The form in which events hold an answer, whatever the client gets: JSON of the same kind. */
export function auditedForm(form: Negotiated): Negotiated {
  return { ...form, mediaType: 'application/json', pretty: false };
}

/**
 * Notes the answer to a request for its audit events, before it is sent.
 *
 * @param form of the answer
 * @param asJson the answer in {@link auditedForm}
 */
export function noteResponse(context: RequestContext, form: Negotiated, asJson: () => Pieces): void {
  const { audit } = context;
  if (audit?.keepsResponse !== true) return;
  const parts = [...asJson()];
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (isBody(context, form, bytes) && audit.noteBody()) return;
  for (const part of audit.omitsManagers ? stripped(Buffer.concat(parts), form) : parts) audit.noteResponse(part);
}

/** As {@link noteResponse}, for lists. */
export async function noteList(
  context: RequestContext,
  form: Negotiated,
  asJson: () => ListBody | Promise<ListBody>,
): Promise<void> {
  const { audit } = context;
  if (audit?.keepsResponse !== true) return;
  if (isBody(context, form, Infinity) && audit.noteBody()) return;
  const body = await asJson();
  const place = form.transform?.kind === 'Table' ? 'row' : 'whole';
  await inSlices(notePieces(audit, audit.omitsManagers ? itemsWithoutManagers(body, place) : body));
}

function itemsWithoutManagers({ joined: _, ...body }: ListBody, place: ObjectPlace): ListBody {
  return { ...body, item: (entry) => withoutFieldManagers(Buffer.concat([...body.item(entry)]), place) };
}

function* notePieces(audit: RequestAudit, body: ListBody): Steps<void> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of listPieces(body)) {
    parts.push(piece);
    bytes += piece.length;
    if (bytes >= joinedBytes) {
      audit.noteResponse(Buffer.concat(parts));
      [parts, bytes] = [[], 0];
    }
    if (sliceIsOver()) yield;
  }
  if (bytes > 0) audit.noteResponse(Buffer.concat(parts));
}

/** Whether the body of the answer is what events hold of it: JSON without blanks that is not compressed. */
function isBody({ exchange, audit }: RequestContext, { mediaType, pretty }: Negotiated, bytes: number): boolean {
  const isCompressed = bytes > compressedAboveBytes && acceptsGzip(exchange.headers['accept-encoding']);
  const isPlain = mediaType === 'application/json' && !pretty && !isCompressed;
  return isPlain && audit?.omitsManagers === false && exchange.method !== 'HEAD';
}

/** An object, or the Table of one object, without the field managers. */
function stripped(json: Buffer, { transform }: Negotiated): Uint8Array[] {
  if (transform?.kind !== 'Table') return withoutFieldManagers(json, 'whole');
  const rows = findMemberStart(json, 0, rowsKey) + 1;
  return [json.subarray(0, rows), ...withoutFieldManagers(json.subarray(rows), 'row')];
}
