import type { Facts } from '#shared/api/facts.ts';
import { newTimeout, StatusError, toStatus, type Status } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { encodeObject } from '#shared/endpoints/forms/object-forms.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { jsonText } from '#shared/serializer/json/encode.ts';
import { prettyJson } from '#shared/serializer/json/pretty-printer.ts';
import {
  builtinMediaTypes,
  isPrettyRequest,
  negotiateOutput,
  type MediaType,
  type Negotiated,
} from '#shared/serializer/negotiate.ts';
import { noteResponse } from './note-response.ts';
import { sendPieces } from './send-pieces.ts';
import { isLongStatus, statusPieces } from './status-pieces.ts';

export type WriteError = (context: RequestContext, error: unknown) => void;

/** As the reference sends it, which negotiates no media type then: clients tell the code in words of their own. */
const {
  kind: _kind,
  apiVersion: _version,
  ...overdue
} = newTimeout('request did not complete within the allotted timeout', 0).status;
const overdueText = `${JSON.stringify(overdue)}\n`;

/** What handlers of the reference say at their deadline; the answer is that of a filter outside of the audit. */
const overdueStatus = newTimeout(
  'request did not complete within requested timeout - context deadline exceeded',
  0,
).status;

const statusKind = { group: '', version: 'v1', kind: 'Status' };

/**
 * Writes the Status of an error, in a media type that the client accepts, otherwise in JSON. After the deadline of a
 * request the only error is that of the deadline.
 */
export function createErrorWriter(facts: Facts): WriteError {
  return (context, error) => {
    if (context.deadlineMs !== undefined && context.deadlineMs <= performance.now()) {
      context.audit?.noteStatus(overdueStatus);
      if (context.audit?.keepsResponse === true)
        context.audit.noteResponse(Buffer.from(jsonText(statusSchema(facts), overdueStatus)));
      context.exchange.send(504, { 'content-type': 'text/plain; charset=utf-8' }, overdueText);
      return;
    }
    writeStatus(
      facts,
      context,
      toStatus(error),
      builtinMediaTypes,
      error instanceof StatusError ? error.retryAfterSeconds : undefined,
    );
  };
}

/** Writes a Status, of an error or of a success. */
export function writeStatus(
  facts: Facts,
  context: RequestContext,
  status: Status,
  mediaTypes: readonly MediaType[],
  retryAfterSeconds?: number,
): void {
  const { exchange } = context;
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0)
    exchange.setHeader('retry-after', String(retryAfterSeconds));
  const schema = statusSchema(facts);
  const code = status.code === 0 ? 200 : status.code;
  const negotiated = negotiate(context, mediaTypes);
  if (negotiated === undefined) {
    exchange.send(code, { 'content-type': 'application/json' }, prettyJson(jsonText(schema, status)));
    return;
  }
  const pretty = negotiated.pretty || isPretty(context);
  if (context.audit !== undefined) {
    context.audit.noteStatus(status);
    context.audit.noteWriting();
    noteResponse(context, { ...negotiated, pretty }, () => [Buffer.from(jsonText(schema, status))]);
  }
  if (isLongStatus(status, negotiated.mediaType)) {
    // Where writing fails, the connection is closed.
    void sendPieces(context, code, negotiated.mediaType, statusPieces(schema, status, negotiated.mediaType, pretty), {
      gzip: false,
    }).catch(() => exchange.abandon());
    return;
  }
  exchange.send(
    code,
    { 'content-type': negotiated.mediaType },
    encodeObject(schema, statusKind, asKubeObject(status), negotiated.mediaType, pretty),
  );
}

/** Whether the client requests an indented response. */
export function isPretty(context: RequestContext): boolean {
  const { query, headers } = context.exchange;
  const parameter = query.includes('pretty') ? context.info.query.get('pretty') : null;
  return isPrettyRequest(parameter, headers['user-agent'] as string | undefined);
}

function negotiate(context: RequestContext, mediaTypes: readonly MediaType[]): Negotiated | undefined {
  try {
    return negotiateOutput(context.exchange.headers['accept'] as string | undefined, mediaTypes);
  } catch {
    return undefined;
  }
}

function statusSchema(facts: Facts): StructSchema {
  const schema = facts.schema('', 'v1', 'Status');
  if (schema === undefined) throw new Error('no schema of Status');
  return schema;
}
