import { headerValue } from '#shared/request/header-values.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { traceHeader } from '#shared/request/trace-header.ts';
import type { TracedRequest } from '#shared/spans/request-span.ts';

/** What the steps of a request say of it that no collector gets. */
export class UntracedRequest implements TracedRequest {
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  static of(this: void, context: RequestContext): UntracedRequest {
    return new UntracedRequest(context);
  }

  get auditId(): string {
    return this.#context.auditId;
  }

  /** Behind the trusted hop, the gateway tells the client's. */
  get protocol(): string {
    const { exchange } = this.#context;
    return headerValue(exchange, traceHeader).split(' ')[1] ?? `HTTP/${exchange.httpVersion}`;
  }
}
