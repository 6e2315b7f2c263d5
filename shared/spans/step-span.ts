import type {
  LazyAttributes,
  RequestSpan,
  SpanAttributes,
  SpanKind,
  TraceHeaders,
  TracedRequest,
} from './request-span.ts';
import { slowFromMs, type StepList } from './step-list.ts';

/** Where slow work is told. */
export interface SlowWorkLog {
  /** Work that took at least as long as its threshold. */
  tell(work: StepList): void;
}

/** A span whose steps are kept, to be told if the work was slow; it is recorded as well where the request is traced. */
export class StepSpan implements RequestSpan {
  readonly request: TracedRequest;
  readonly #log: SlowWorkLog;
  readonly #list: StepList;
  readonly #recorded: RequestSpan | undefined;
  /** Calls of other servers are spans of the trace alone; their steps are those of the work that made them. */
  readonly #isCall: boolean;

  constructor(log: SlowWorkLog, list: StepList, request: TracedRequest, recorded?: RequestSpan, isCall = false) {
    this.#log = log;
    this.#list = list;
    this.request = request;
    this.#recorded = recorded;
    this.#isCall = isCall;
  }

  get isRecorded(): boolean {
    return this.#recorded !== undefined;
  }

  get headers(): TraceHeaders | undefined {
    return this.#recorded?.headers;
  }

  event(name: string, attributes?: SpanAttributes): void {
    this.#list.add(name, attributes, performance.now());
    this.#recorded?.event(name, attributes);
  }

  set(attributes: SpanAttributes): void {
    if (!this.#isCall) this.#list.set(attributes);
    this.#recorded?.set(attributes);
  }

  noteError(error: unknown): void {
    this.#recorded?.noteError(error);
  }

  fail(message: string): void {
    this.#recorded?.fail(message);
  }

  child(name: string, attributes?: LazyAttributes, kind: SpanKind = 'internal', startMs?: number): RequestSpan {
    const recorded = this.#recorded?.child(name, attributes, kind, startMs);
    const isCall = kind !== 'internal';
    const list = isCall ? this.#list : this.#list.nest(name, attributes, startMs ?? performance.now());
    return new StepSpan(this.#log, list, this.request, recorded, isCall);
  }

  end(thresholdMs = slowFromMs): void {
    this.#recorded?.end();
    const list = this.#list;
    if (!this.#isCall && list.end(performance.now(), thresholdMs) && list.isRoot) this.#log.tell(list);
  }
}
