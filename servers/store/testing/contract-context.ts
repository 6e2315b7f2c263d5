import type { KeyValue } from '#shared/storage/etcd-wire/kv-messages.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import type { WatchCreateRequest, WatchRequest, WatchResponse } from '#shared/storage/etcd-wire/watch-messages.ts';

export const b = (text: string): Buffer => Buffer.from(text);
/** The end of the range of a prefix that ends in a slash. */
export const endOf = (prefix: string): Buffer => Buffer.from(`${prefix.slice(0, -1)}0`);

/**
 * The context of a contract test: a transport to a server that all tests share, and a key prefix that only this test
 * uses.
 */
export interface ContractContext {
  readonly etcd: EtcdTransport;
  readonly prefix: string;
}

export interface ContractCase {
  readonly name: string;
  readonly run: (context: ContractContext) => Promise<void>;
}

export async function put(etcd: EtcdTransport, key: string, value = '', lease = '0'): Promise<number> {
  return (await etcd.unary('KV/Put', { key: b(key), value: b(value), lease })).header?.revision as number;
}

export async function list(etcd: EtcdTransport, prefix: string): Promise<KeyValue[]> {
  return (await etcd.unary('KV/Range', { key: b(prefix), rangeEnd: endOf(prefix) })).kvs;
}

/** A watch stream whose messages are awaited one by one. */
export class WatchProbe {
  readonly #messages: WatchResponse[] = [];
  readonly #waiting: ((message: WatchResponse) => void)[] = [];
  readonly #stream;

  constructor(etcd: EtcdTransport) {
    this.#stream = etcd.stream('Watch/Watch', {
      onMessage: (message) => {
        const next = this.#waiting.shift();
        if (next === undefined) this.#messages.push(message);
        else next(message);
      },
      onEnd: () => {},
    });
  }

  write(request: WatchRequest): void {
    this.#stream.write(request);
  }

  next(): Promise<WatchResponse> {
    const message = this.#messages.shift();
    return message === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(message);
  }

  /** Creates a watch and returns its first response. */
  async create(request: WatchCreateRequest): Promise<WatchResponse> {
    this.write({ createRequest: request });
    return this.next();
  }

  /** Waits for the next `count` events, in the form `PUT key=value` or `DELETE key`. */
  async events(count: number): Promise<string[]> {
    const seen: string[] = [];
    while (seen.length < count) {
      for (const event of (await this.next()).events) {
        seen.push(
          event.type === 'PUT'
            ? `PUT ${event.kv?.key.toString()}=${event.kv?.value.toString()}`
            : `DELETE ${event.kv?.key.toString()}`,
        );
      }
    }
    return seen;
  }

  close(): void {
    this.#stream.cancel();
  }
}
