import { GrpcServer, type GrpcFailure } from '#shared/grpc/testing/grpc-server.ts';
import { decodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import { exportRequest } from './span-messages.ts';

/** A span as a collector got it. Ids are hexadecimal. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string | number>;
  readonly events: readonly string[];
  /** The spans that it is linked to. */
  readonly links: readonly string[];
  readonly resource: ReadonlyMap<string, string | number>;
}

/** A collector on a Unix socket, for tests: it keeps the spans that it gets. */
export class TestCollector {
  readonly spans: SentSpan[] = [];
  /** What it answers instead, if anything. */
  refusal: GrpcFailure | undefined;
  readonly #server = new GrpcServer((_path, message) => this.#take(message));
  #waiting: (() => void)[] = [];

  get endpoint(): string {
    return `unix://${this.#server.socket}`;
  }

  open(): Promise<void> {
    return this.#server.open();
  }

  kill(): Promise<void> {
    return this.#server.kill();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Resolves when a span fits. */
  async until(fits: (spans: readonly SentSpan[]) => boolean): Promise<void> {
    while (!fits(this.spans)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #take(message: Buffer): Uint8Array | GrpcFailure {
    if (this.refusal !== undefined) return this.refusal;
    for (const { resource, scopeSpans } of decodeMessage(exportRequest, message).resourceSpans)
      for (const span of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({
          traceId: hex(span.traceId),
          spanId: hex(span.spanId),
          parentId: hex(span.parentSpanId),
          name: span.name,
          attributes: mapOf(span.attributes),
          events: span.events.map(({ name }) => name),
          links: span.links.map(({ spanId }) => hex(spanId)),
          resource: mapOf(resource?.attributes ?? []),
        });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
    return new Uint8Array();
  }
}

type Attributes = readonly { readonly key: string; readonly value: { text: string; int: number } | undefined }[];

function mapOf(attributes: Attributes): ReadonlyMap<string, string | number> {
  return new Map(attributes.map(({ key, value }) => [key, value?.text || value?.int || '']));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
