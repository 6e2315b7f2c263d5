import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { cborType, protobufType, type MediaType } from '#shared/serializer/negotiate.ts';
import { activeSpan } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';

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
): ResponseSpan | undefined {
  const verb = activeSpan();
  if (verb === undefined) return undefined;
  const span = serializing(verb, 'SerializeObject', context, form.mediaType, encoderName(scope, form));
  span.event('About to start writing response');
  return {
    async end(sent) {
      try {
        await sent;
        span.event('Write call succeeded');
      } catch (error) {
        span.event('Write call failed', { err: String(error) });
        throw error;
      } finally {
        span.end();
      }
    },
  };
}

/** The span of the stream of a watch, which ends with it; undefined for a request that is not traced. */
export function watchSpan(context: RequestContext, scope: RequestScope, mediaType: MediaType): RequestSpan | undefined {
  const active = activeSpan();
  if (active === undefined) return undefined;
  const form = { mediaType, pretty: false };
  const streamed = `${mediaType};stream=watch`;
  const span = serializing(
    active,
    'WatchServer.HandleHTTP',
    context,
    streamed,
    encoderName(scope, form, 'raw-protobuf'),
  );
  span.event('About to start writing response');
  context.exchange.onClose(() => span.end());
  return span;
}

function serializing(
  parent: RequestSpan,
  name: string,
  { exchange, auditId, info }: RequestContext,
  mediaType: string,
  encoder: string,
): RequestSpan {
  return parent.child(name, {
    'audit-id': auditId,
    method: exchange.method,
    url: info.path,
    protocol: parent.request.protocol,
    mediaType,
    encoder,
  });
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
