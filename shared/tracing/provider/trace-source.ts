import { ROOT_CONTEXT, trace, TraceFlags, type SpanContext, type Tracer } from '@opentelemetry/api';
import { parseTraceParent, TraceState } from '@opentelemetry/core';
import { RandomIdGenerator } from '@opentelemetry/sdk-trace';
import type {
  RemoteParent,
  RequestSpan,
  SpanSource,
  SpanStart,
  TracedRequest,
  TraceHeaders,
} from '#shared/spans/request-span.ts';
import { RecordedSpan, startSpan } from './recorded-span.ts';

/** Starts traces, and joins those of other processes, by one tracer. */
export class TraceSource implements SpanSource {
  readonly #tracer: Tracer;
  readonly #ratio: number;
  readonly #ids = new RandomIdGenerator();

  /** `ratio` is the part of the new traces that are sampled, from 0 to 1. */
  constructor(tracer: Tracer, ratio: number) {
    this.#tracer = tracer;
    this.#ratio = ratio;
  }

  samples(): boolean {
    return Math.random() < this.#ratio;
  }

  begin(start: SpanStart, link?: RemoteParent): RequestSpan {
    const links = link instanceof RemoteSpan ? [{ context: link.context }] : [];
    return startSpan(this.#tracer, start, ROOT_CONTEXT, links);
  }

  remote(traceparent: string, tracestate: string | undefined): RemoteParent | undefined {
    const parsed = parseTraceParent(traceparent);
    if (parsed === null) return undefined;
    const context: SpanContext = {
      ...parsed,
      isRemote: true,
      ...(tracestate !== undefined && { traceState: new TraceState(tracestate) }),
    };
    return new RemoteSpan(this.#tracer, context);
  }

  untraced(): TraceHeaders {
    return { traceparent: `00-${this.#ids.generateTraceId()}-${this.#ids.generateSpanId()}-00` };
  }
}

class RemoteSpan implements RemoteParent {
  readonly context: SpanContext;
  readonly #tracer: Tracer;

  constructor(tracer: Tracer, context: SpanContext) {
    this.#tracer = tracer;
    this.context = context;
  }

  get isSampled(): boolean {
    return (this.context.traceFlags & TraceFlags.SAMPLED) !== 0;
  }

  start(span: SpanStart): RequestSpan {
    return startSpan(this.#tracer, span, trace.setSpanContext(ROOT_CONTEXT, this.context));
  }

  standIn(request: TracedRequest): RequestSpan {
    return new RecordedSpan(trace.wrapSpanContext(this.context), this.#tracer, request);
  }
}
