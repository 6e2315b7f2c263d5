import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { Pieces } from '#shared/endpoints/forms/list-body.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { cborType, protobufType, type MediaType } from '#shared/serializer/negotiate.ts';
import { activeSpan } from '#shared/spans/active-span.ts';
import type { RequestSpan, SpanAttributes, TracedRequest } from '#shared/spans/request-span.ts';

/** Writing waits for the client. */
export const writeSlowFromMs = 5_000;

/** An answer that is being written. */
export interface ResponseSpan {
  /** Ends the span when the answer was written. */
  end(sent?: void | Promise<void>): Promise<void>;
}

/** How an answer is encoded. */
export interface ResponseForm {
  readonly mediaType: MediaType;
  readonly pretty: boolean;
}

/**
 * The span `SerializeObject` (endpoints/handlers/responsewriters/writers.go); undefined for a request that is not
 * traced.
 */
export function responseSpan(
  context: RequestContext,
  scope: RequestScope,
  form: ResponseForm,
  pieces?: Pieces,
): ResponseSpan | undefined {
  const verb = activeSpan();
  if (verb === undefined) return undefined;
  const { request } = verb;
  const span = verb.child('SerializeObject', () => ({
    ...serializing(context, request),
    ...formAttributes(scope, form),
  }));
  const size = sizeOf(pieces);
  span.event('About to start writing response', size);
  return {
    async end(sent) {
      try {
        await sent;
        span.event('Write call succeeded', size);
      } catch (error) {
        span.event('Write call failed', { ...size, err: String(error) });
        throw error;
      } finally {
        span.end(writeSlowFromMs);
      }
    },
  };
}

/** Of bodies whose size is known before they are sent. */
function sizeOf(pieces: Pieces | undefined): SpanAttributes | undefined {
  if (!Array.isArray(pieces)) return undefined;
  return { size: (pieces as readonly Uint8Array[]).reduce((sum, { length }) => sum + length, 0) };
}

/** The span of the stream of a watch, which ends with it; undefined for a request that is not traced. */
export function watchSpan(context: RequestContext, scope: RequestScope, mediaType: MediaType): RequestSpan | undefined {
  const active = activeSpan();
  if (active === undefined) return undefined;
  const span = active.child('WatchServer.HandleHTTP', () => ({
    ...serializing(context, active.request),
    mediaType: `${mediaType};stream=watch`,
    encoder: encoderName(scope, { mediaType, pretty: false }, 'raw-protobuf'),
  }));
  span.event('About to start writing response');
  context.exchange.onClose(() => span.end());
  return span;
}

export function serializing({ exchange, auditId, info }: RequestContext, { protocol }: TracedRequest): SpanAttributes {
  return { 'audit-id': auditId, method: exchange.method, url: info.path, protocol };
}

export function formAttributes(scope: RequestScope, form: ResponseForm): SpanAttributes {
  return { mediaType: form.mediaType, encoder: encoderName(scope, form) };
}

/** As the reference names its encoders (runtime.Identifier). */
function encoderName({ kind }: RequestScope, { mediaType, pretty }: ResponseForm, protobuf = 'protobuf'): string {
  const json = {
    name: 'json',
    pretty: String(pretty),
    strict: 'false',
    yaml: String(mediaType === 'application/yaml'),
  };
  const encoder = mediaType === protobufType ? protobuf : mediaType === cborType ? 'cbor' : JSON.stringify(json);
  return JSON.stringify({ encodeGV: formatGroupVersion(kind), encoder, name: 'versioning' });
}
