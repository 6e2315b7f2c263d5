import { Readable } from 'node:stream';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { createResourceHandler } from '#shared/endpoints/create-resource-handler.ts';
import type { HandlerDependencies } from '#shared/endpoints/request/handler-dependencies.ts';
import { createErrorWriter } from '#shared/endpoints/responders/write-error.ts';
import { createRestResources } from '#shared/registry/create-rest-resources.ts';
import type { ResourceDefinition } from '#shared/registry/define-resource.ts';
import { StreamFlow, type BodyFlow } from '#shared/request/body-flow.ts';
import type { Exchange, OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import { parseRequestInfo } from '#shared/request/parse-request-info.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import { builtinMediaTypes } from '#shared/serializer/negotiate.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  readonly warnings: readonly string[];
  /** Empty where the answer is no JSON object. */
  readonly body: JsonObject;
}

export interface OpenWatch {
  readonly status: number;
  /** Waits until so many events have come, and gives all of them. */
  events(count: number): Promise<{ readonly type: string; readonly object: JsonObject }[]>;
  close(): void;
}

/** The built-in resources without chain and network, on storage in memory. */
export class InProcess {
  readonly storage = new MemoryStorage();
  readonly #facts = loadFacts();
  readonly #handler;
  readonly #writeError = createErrorWriter(this.#facts);
  readonly resources;

  /**
   * `storage`: another one than that in memory. `handlerOf` makes what serves instead of the built-in resources.
   */
  constructor(
    definitions: readonly ResourceDefinition[] = [],
    storage?: Storage,
    handlerOf?: (environment: HandlerDependencies, storage: Storage) => Handler,
  ) {
    this.resources = createRestResources({
      facts: this.#facts,
      storage: storage ?? this.storage,
      definitions,
      servesGroup: () => true,
    });
    const environment: HandlerDependencies = {
      mediaTypes: builtinMediaTypes,
      resources: this.resources,
      facts: this.#facts,
      minRequestTimeoutSeconds: 60,
      deleteCollectionWorkers: 1,
      wholeAtZero: () => true,
      shards: false,
      maxBodyBytes: 1024 * 1024,
      authorizeVerb: async () => {},
      admission: { plugins: [], handles: () => false, admit: async () => {}, validate: async () => {} },
    };
    this.#handler =
      handlerOf === undefined ? createResourceHandler(environment) : handlerOf(environment, storage ?? this.storage);
  }

  /** One request, and its whole answer. */
  async send(method: string, target: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const exchange = new TestExchange(method, target, body, headers);
    const warnings: string[] = [];
    await this.#run(exchange, warnings);
    const bytes = await exchange.done.promise;
    const text = bytes.toString('utf8');
    const parsed = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : {};
    return { status: exchange.statusCode, headers: exchange.answerHeaders, text, bytes, warnings, body: parsed };
  }

  /** Opens a watch. */
  async watch(target: string): Promise<OpenWatch> {
    const exchange = new TestExchange('GET', target, undefined, {});
    await this.#run(exchange, []);
    const lines = (): string[] =>
      Buffer.concat(exchange.chunks)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '');
    return {
      status: exchange.statusCode,
      async events(count) {
        while (lines().length < count) await exchange.nextChunk();
        return lines().map((line) => JSON.parse(line) as { type: string; object: JsonObject });
      },
      close: () => exchange.leave(),
    };
  }

  async #run(exchange: TestExchange, warnings: string[]): Promise<void> {
    const context: RequestContext = {
      exchange,
      receivedAtMs: Date.now(),
      filterStartedMs: 0,
      auditId: '',
      longRunning: false,
      info: parseRequestInfo(exchange),
      user: { name: 'admin', uid: '', groups: [], extra: {} },
      addWarning: (text) => void warnings.push(text),
    };
    try {
      await this.#handler(context);
    } catch (error) {
      this.#writeError(context, error);
    }
  }

  close(): void {
    this.resources.caches.close();
  }
}

class TestExchange implements Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly httpVersion = '1.1';
  readonly headers: Record<string, string>;
  readonly remoteAddress = '127.0.0.1';
  readonly remotePort = 0;
  readonly trust = 'public';
  readonly expectsContinue = false;
  readonly #body: Buffer;
  readonly chunks: Buffer[] = [];
  readonly done = Promise.withResolvers<Buffer>();
  answerHeaders: OutgoingHeaders = {};
  statusCode = 0;
  readonly queuedBytes = 0;
  readonly answerBytes = 0;
  closed = false;
  readonly #onClose: (() => void)[] = [];
  #onChunk: (() => void)[] = [];

  constructor(method: string, target: string, body: unknown, headers: Record<string, string>) {
    this.method = method;
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.headers = { ...(method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}), ...headers };
    this.#body = Buffer.isBuffer(body)
      ? body
      : Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  }

  get hasBody(): boolean {
    return this.#body.length > 0;
  }

  get body(): Readable {
    return Readable.from([this.#body]);
  }

  bodyFlow(): BodyFlow {
    return new StreamFlow(this.body);
  }

  get responded(): boolean {
    return this.statusCode !== 0;
  }

  async readBody(): Promise<Buffer> {
    return this.#body;
  }

  awaitsBody(): boolean {
    return false;
  }

  onAnswer(listener: () => void): void {
    this.#onClose.push(listener);
  }

  onComplete(listener: () => void): void {
    this.#onClose.push(listener);
  }

  dropClient(): void {
    this.leave();
  }

  setHeader(name: string, value: string | string[]): void {
    this.answerHeaders[name] = value;
  }

  appendHeader(): void {}

  inform(): void {}

  abandon(): void {
    this.leave();
  }

  peerCertificates(): undefined {
    return undefined;
  }

  upgrade(): undefined {
    return undefined;
  }

  send(status: number, headers: OutgoingHeaders, body?: string | Uint8Array | readonly Uint8Array[]): void {
    const stream = this.stream(status, headers);
    for (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : (body ?? []))
      stream.write(chunk);
    stream.end();
  }

  stream(status: number, headers: OutgoingHeaders): ResponseStream {
    this.statusCode = status;
    Object.assign(this.answerHeaders, headers);
    const finish = (): void => {
      this.done.resolve(Buffer.concat(this.chunks));
      this.leave();
    };
    return {
      write: (chunk) => {
        this.chunks.push(Buffer.from(chunk as Uint8Array));
        const waiting = this.#onChunk;
        this.#onChunk = [];
        for (const tell of waiting) tell();
        return true;
      },
      bufferedBytes: 0,
      onDrain: () => {},
      end: finish,
      abort: finish,
    };
  }

  nextChunk(): Promise<void> {
    return new Promise((resolve) => this.#onChunk.push(resolve));
  }

  onClose(listener: () => void): void {
    this.#onClose.push(listener);
  }

  leave(): void {
    if (this.closed) return;
    this.closed = true;
    for (const listener of this.#onClose) listener();
  }
}
