import type { RequestSpan, SpanSource, TraceHeaders } from '#shared/spans/request-span.ts';

/** A span for tests, which keeps the names of the spans below it and their ends. */
export class KeptSpan implements RequestSpan {
  readonly isRecorded = true;
  readonly request = { auditId: 'a', protocol: 'HTTP/2.0' };
  readonly name: string;
  readonly attributes: unknown;
  readonly below: KeptSpan[] = [];
  /** The names of the spans above it and its own. */
  readonly #path: string;
  ends = 0;

  constructor(name: string, attributes?: unknown, path = name) {
    this.name = name;
    this.#path = path;
    this.attributes = attributes;
  }

  get headers(): TraceHeaders {
    return { traceparent: this.#path };
  }

  event(): void {
    // Not kept.
  }

  set(): void {
    // Not kept.
  }

  noteError(): void {
    // Not kept.
  }

  fail(): void {
    // Not kept.
  }

  child(name: string, attributes?: unknown): KeptSpan {
    const span = new KeptSpan(name, attributes, `${this.#path}/${name}`);
    this.below.push(span);
    return span;
  }

  end(): void {
    this.ends++;
  }
}

/** A source whose requests are not sampled, and whose servers are told so. */
export const untracedSource: SpanSource = {
  samples: () => false,
  begin: ({ name }) => new KeptSpan(name),
  remote: () => undefined,
  untraced: () => ({ traceparent: 'not sampled' }),
};
