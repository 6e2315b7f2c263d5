import {
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  ROOT_CONTEXT,
  type Context,
  type Link,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type {
  LazyAttributes,
  RequestSpan,
  SpanAttributes,
  SpanKind,
  SpanStart,
  TraceHeaders,
  TracedRequest,
} from '#shared/spans/request-span.ts';

/** OpenTelemetry's numbers. */
const kinds: Readonly<Record<SpanKind, Kind>> = {
  internal: Kind.INTERNAL,
  server: Kind.SERVER,
  client: Kind.CLIENT,
};

/** A span that is recorded, as OpenTelemetry's SDK keeps it. */
export class RecordedSpan implements RequestSpan {
  readonly isRecorded = true;
  readonly request: TracedRequest;
  readonly #span: Span;
  readonly #tracer: Tracer;
  #context: Context | undefined;

  constructor(span: Span, tracer: Tracer, request: TracedRequest) {
    this.request = request;
    this.#span = span;
    this.#tracer = tracer;
  }

  get headers(): TraceHeaders {
    const { traceId, spanId, traceFlags, traceState } = this.#span.spanContext();
    const state = traceState?.serialize() ?? '';
    const { baggage } = this.request;
    return {
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
      ...(state !== '' && { tracestate: state }),
      ...(baggage !== undefined && baggage !== '' && { baggage }),
    };
  }

  event(name: string, attributes?: SpanAttributes): void {
    this.#span.addEvent(name, attributes);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  noteError(error: unknown): void {
    this.#span.recordException(error instanceof Error ? error : String(error));
  }

  fail(message: string): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message });
  }

  child(name: string, attributes: LazyAttributes = {}, kind: SpanKind = 'internal', startMs?: number): RequestSpan {
    this.#context ??= trace.setSpan(ROOT_CONTEXT, this.#span);
    const { request } = this;
    const known = typeof attributes === 'function' ? attributes() : attributes;
    const start = { name, request, kind, attributes: known, ...(startMs !== undefined && { startMs }) };
    return startSpan(this.#tracer, start, this.#context);
  }

  end(): void {
    this.#span.end();
  }
}

/** Starts a span below that of the context. */
export function startSpan(
  tracer: Tracer,
  { name, request, kind = 'internal', attributes = {}, startMs }: SpanStart,
  context: Context,
  links: Link[] = [],
): RecordedSpan {
  const options = { kind: kinds[kind], attributes: { ...attributes }, links };
  // The SDK takes a number in the past of `performance.now` as a time by that clock.
  const span = tracer.startSpan(name, startMs === undefined ? options : { ...options, startTime: startMs }, context);
  return new RecordedSpan(span, tracer, request);
}
