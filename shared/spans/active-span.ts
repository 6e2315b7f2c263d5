import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestSpan, SpanAttributes, SpanKind, SpanSource, TraceHeaders } from './request-span.ts';

/** Undefined as long as the process traces nothing: then no function here does more than to look at it. */
let source: SpanSource | undefined;

/** The span for which code runs. Node.js passes it on through timers, promises and events. */
const spans = new AsyncLocalStorage<RequestSpan | undefined>();

/** Turns tracing on for this process, or off. */
export function traceBy(next: SpanSource | undefined): void {
  source = next;
}

/** What starts traces; undefined without tracing. */
export function spanSource(): SpanSource | undefined {
  return source;
}

/** The span for which the running code works; undefined without tracing, and for requests that are not sampled. */
export function activeSpan(): RequestSpan | undefined {
  return source === undefined ? undefined : spans.getStore();
}

/** Starts a part of the active span; undefined without one. The caller ends it. */
export function childSpan(name: string, attributes?: SpanAttributes, kind?: SpanKind): RequestSpan | undefined {
  return source === undefined ? undefined : spans.getStore()?.child(name, attributes, kind);
}

/** Notes in the active span, if there is one, that something happened, with one attribute at most. */
export function spanEvent(name: string, key?: string, value: string | number = ''): void {
  if (source !== undefined) spans.getStore()?.event(name, key === undefined ? undefined : { [key]: value });
}

/** The headers for a server that is called now; undefined without tracing. */
export function traceHeaders(): TraceHeaders | undefined {
  return source === undefined ? undefined : (spans.getStore()?.headers ?? source.untraced());
}

/** Runs work for a span, which it does not end. */
export function runInSpan<Parameters extends unknown[], Result>(
  span: RequestSpan,
  work: (...parameters: Parameters) => Result,
  ...parameters: Parameters
): Result {
  return spans.run(span, work, ...parameters);
}

/** Runs work for a span, and ends the span with it. */
export async function runSpan<Parameters extends unknown[], Result>(
  span: RequestSpan,
  work: (...parameters: Parameters) => Result | Promise<Result>,
  ...parameters: Parameters
): Promise<Result> {
  try {
    return await spans.run(span, work, ...parameters);
  } finally {
    span.end();
  }
}

/** Runs work that outlives the request that started it, so that it is no part of its trace. */
export function outsideSpans<Result>(work: () => Result): Result {
  return source === undefined ? work() : spans.run(undefined, work);
}
