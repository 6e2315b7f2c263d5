/** Values by their names, as a collector gets them. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Attributes that are made only if somebody reads them. */
export type LazyAttributes = SpanAttributes | (() => SpanAttributes);

/** What a span is about: work of this process, a call that it serves, or one that it makes. */
export type SpanKind = 'internal' | 'server' | 'client';

/** The headers by which another process joins the trace (W3C Trace Context and Baggage). */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** The headers that a client wants passed on to servers that are called for its request. */
export type PassedHeaders = Partial<TraceHeaders>;

/** What spans of a request tell of it, in all processes. */
export interface TracedRequest {
  readonly auditId: string;
  /** That the client speaks: `HTTP/2.0`. */
  readonly protocol: string;
  /** The client's, for servers that are called. */
  readonly baggage?: string | undefined;
}

/**
 * One part of a request's work, from its start to its end. It is sent to a collector after its end, or its steps are
 * logged if it was slow, or both.
 */
export interface RequestSpan {
  /** Whether a collector gets it. */
  readonly isRecorded: boolean;
  /** Undefined for one that no collector gets. */
  readonly headers: TraceHeaders | undefined;
  /** For which the work is. */
  readonly request: TracedRequest;
  /** Notes that something happened now. */
  event(name: string, attributes?: SpanAttributes): void;
  set(attributes: SpanAttributes): void;
  /** Notes an error as the event `exception`; it does not end the span. */
  noteError(error: unknown): void;
  /** Marks the work as failed. */
  fail(message: string): void;
  /** Starts a part of this span, now or at a time of `performance.now`. The caller ends it. */
  child(name: string, attributes?: LazyAttributes, kind?: SpanKind, startMs?: number): RequestSpan;
  /** Work that took as long as the threshold is slow. Default: 500 ms. A second end is none. */
  end(thresholdMs?: number): void;
}

/** What is known of a span when it starts. */
export interface SpanStart {
  readonly name: string;
  readonly request: TracedRequest;
  /** Default: internal. */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** By the clock of `performance.now`. Default: now. */
  readonly startMs?: number;
}

/** The span of another process, as its headers name it. */
export interface RemoteParent {
  readonly isSampled: boolean;
  /** What starts in this process as a part of that span; `isSampled` says whether it should. */
  start(span: SpanStart): RequestSpan;
  /** Stands for that span in this process, so that spans below it have it as their parent; it is not recorded. */
  standIn(request: TracedRequest): RequestSpan;
}

/** Starts the spans that have no parent in this process. */
export interface SpanSource {
  /** Whether the next request that begins a trace is to be traced: the sampler's lot. */
  samples(): boolean;
  /** Begins a trace. `link` is a span of the client that is named, but not followed. */
  begin(start: SpanStart, link?: RemoteParent): RequestSpan;
  /** The span that headers name; undefined for headers that are not valid. */
  remote(traceparent: string, tracestate: string | undefined): RemoteParent | undefined;
  /** For a server that is called for a request that is not traced: it is not to trace it either. */
  untraced(): TraceHeaders;
}
