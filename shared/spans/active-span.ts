import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  LazyAttributes,
  PassedHeaders,
  RequestSpan,
  SpanAttributes,
  SpanSource,
  TracedRequest,
} from './request-span.ts';
import { StepList } from './step-list.ts';
import { StepSpan, type SlowWorkLog } from './step-span.ts';

/** Undefined as long as the process traces nothing. */
let source: SpanSource | undefined;
/** Undefined as long as slow work is not logged. */
let slowWork: SlowWorkLog | undefined;
/** One of the two is there. If not, no function here does more than to look at this. */
let isOn = false;

/** The span for which code runs. Node.js passes it on through timers, promises and events. */
const spans = new AsyncLocalStorage<RequestSpan | undefined>();

/** What clients of a process that traces nothing want passed on. */
const passing = new AsyncLocalStorage<PassedHeaders | undefined>();

/** Turns tracing on for this process, or off. */
export function traceBy(next: SpanSource | undefined): void {
  source = next;
  isOn = source !== undefined || slowWork !== undefined;
}

/** Keeps the steps of work from now on, and tells those that were slow; undefined ends it. */
export function tellSlowWork(log: SlowWorkLog | undefined): void {
  slowWork = log;
  isOn = source !== undefined || slowWork !== undefined;
}

/** Where slow work is told; undefined where it is not. */
export function slowWorkLog(): SlowWorkLog | undefined {
  return slowWork;
}

/** What starts traces; undefined without tracing. */
export function spanSource(): SpanSource | undefined {
  return source;
}

/** The span for which the running code works; undefined where nobody wants to know of it. */
export function activeSpan(): RequestSpan | undefined {
  return isOn ? spans.getStore() : undefined;
}

/** The active span if a collector gets it. */
export function recordedSpan(): RequestSpan | undefined {
  const span = source === undefined ? undefined : spans.getStore();
  return span?.isRecorded === true ? span : undefined;
}

/**
 * Starts the work of a handler, as a part of the active span if there is one; undefined where nobody wants to know of
 * it. The caller ends it. `requestOf` tells of a request that is not traced.
 */
export function handlerSpan<Subject>(
  name: string,
  subject: Subject,
  requestOf: (subject: Subject) => TracedRequest,
  attributesOf: (subject: Subject, request: TracedRequest) => SpanAttributes,
): RequestSpan | undefined {
  if (!isOn) return undefined;
  const active = spans.getStore();
  if (active === undefined && slowWork === undefined) return undefined;
  const request = active?.request ?? requestOf(subject);
  const attributes = (): SpanAttributes => attributesOf(subject, request);
  if (slowWork === undefined || active instanceof StepSpan) return active?.child(name, attributes);
  const list = new StepList(name, attributes, performance.now());
  return new StepSpan(slowWork, list, request, active?.child(name, attributes));
}

/** Starts a part of the active span; undefined without one. The caller ends it. */
export function childSpan(name: string, attributes?: LazyAttributes): RequestSpan | undefined {
  return isOn ? spans.getStore()?.child(name, attributes) : undefined;
}

/** Notes in the active span, if there is one, that something happened, with one attribute at most. */
export function spanEvent(name: string, key?: string, value: string | number = ''): void {
  if (isOn) spans.getStore()?.event(name, key === undefined ? undefined : { [key]: value });
}

/** The headers for a server that is called now: those of the client without tracing, if it sent any. */
export function traceHeaders(): PassedHeaders | undefined {
  return source === undefined ? passing.getStore() : (recordedSpan()?.headers ?? source.untraced());
}

/** Runs work for a client whose headers servers are told that are called for it. */
export function runPassing<Parameters extends unknown[], Result>(
  headers: PassedHeaders,
  work: (...parameters: Parameters) => Result,
  ...parameters: Parameters
): Result {
  return passing.run(headers, work, ...parameters);
}

/** Runs work that starts elsewhere with what the running code passes on; undefined if it passes nothing on. */
export function passingOn(): (<Result>(work: () => Result) => Result) | undefined {
  const headers = source === undefined ? passing.getStore() : undefined;
  return headers === undefined ? undefined : (work) => passing.run(headers, work);
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
  const alone = passing.getStore() === undefined ? work : () => passing.run(undefined, work);
  return isOn ? spans.run(undefined, alone) : alone();
}
