import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { http1Client, http2Client } from '#test/api-client.ts';
import type { ApiClient, ClusterAddress, OpenAnswer, SendOptions } from '#test/api-client.ts';
import type { History } from './history.ts';

export interface Reply {
  /** 0: no answer came, or not all of it. */
  readonly status: number;
  readonly json: JsonObject;
  /** The server asks to try again, so it promises that nothing happened. */
  readonly retryAfter: boolean;
  readonly said: string;
}

const nothing: Reply = { status: 0, json: {}, retryAfter: false, said: 'no answer' };
/** Longer than a call to the storage is tried for (10 s) with the pauses of the gateway. */
const patienceMs = 15_000;

/** A client that makes a new connection after a failure, and repeats nothing. */
export class Caller {
  readonly #addresses: readonly ClusterAddress[];
  readonly #history: History;
  readonly #http2: boolean;
  #client: ApiClient;
  #next: number;

  constructor(addresses: readonly ClusterAddress[], history: History, index: number) {
    this.#addresses = addresses;
    this.#history = history;
    this.#http2 = index % 2 === 0;
    this.#next = index;
    this.#client = this.#connect();
  }

  async send(method: string, path: string, options?: SendOptions): Promise<Reply> {
    const client = this.#client;
    const timer = setTimeout(() => client.close(), patienceMs);
    try {
      const { status, headers, text } = await client.send(method, path, options);
      return {
        status,
        json: this.#parse(`${method} ${path}`, status, text),
        retryAfter: headers['retry-after'] !== undefined,
        said: status < 300 ? '' : text.slice(0, 300),
      };
    } catch {
      await this.#again();
      return nothing;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Opens a watch; undefined when no answer came. */
  async open(path: string): Promise<OpenAnswer | undefined> {
    const client = this.#client;
    const timer = setTimeout(() => client.close(), patienceMs);
    try {
      return await client.open(path);
    } catch {
      await this.#again();
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Loses the connection. */
  drop(): void {
    this.#client.close();
    this.#client = this.#connect();
  }

  close(): void {
    this.#client.close();
  }

  async #again(): Promise<void> {
    this.#client.close();
    await sleep(50);
    this.#client = this.#connect();
  }

  #connect(): ApiClient {
    const address = this.#addresses[this.#next++ % this.#addresses.length];
    if (address === undefined) throw new Error('no address of the API was given');
    return this.#http2 ? http2Client(address) : http1Client(address);
  }

  #parse(request: string, status: number, text: string): JsonObject {
    try {
      const value: unknown = JSON.parse(text);
      if (isObject(value as JsonObject)) return value as JsonObject;
    } catch {
      // Errors may be plain text.
    }
    if (status < 300 && request.includes('/api'))
      this.#history.violations.push(
        `${request}: ${status} with a body that is no object, ended as if complete: ${JSON.stringify(text.slice(-200))}`,
      );
    return {};
  }
}
