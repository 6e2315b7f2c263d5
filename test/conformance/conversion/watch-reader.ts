import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { adminToken } from '#test/tokens.ts';

/** A watch counts as settled when nothing has come for so long. */
const quietMs = 1200;
/** How long a test waits for an event. */
const patienceMs = 20_000;

/** Reads the events of one watch. */
export class WatchReader {
  readonly #events: JsonValue[] = [];
  readonly #abort = new AbortController();
  #lastMs = performance.now();

  static async open(url: string, path: string): Promise<WatchReader> {
    const reader = new WatchReader();
    const answer = await request(url + path, {
      dispatcher: new Agent({ connect: { rejectUnauthorized: false } }),
      headers: { authorization: `Bearer ${adminToken}`, accept: 'application/json' },
      signal: reader.#abort.signal,
    });
    void reader.#read(answer.body).catch(() => undefined);
    return reader;
  }

  /** The events so far, once no more come; ends the watch. */
  async settled(): Promise<readonly JsonValue[]> {
    while (performance.now() - this.#lastMs < quietMs) await sleep(50);
    this.#abort.abort();
    return this.#events;
  }

  /** Resolves when so many events have come, or none will in time. */
  async has(count: number): Promise<void> {
    for (const endsAtMs = performance.now() + patienceMs; performance.now() < endsAtMs && this.#events.length < count;)
      await sleep(50);
  }

  async #read(body: AsyncIterable<Buffer>): Promise<void> {
    let rest = '';
    for await (const chunk of body) {
      this.#lastMs = performance.now();
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#events.push(JSON.parse(line) as JsonValue);
    }
    if (rest.trim() !== '') this.#events.push(rest);
    this.#events.push('end of stream');
  }
}
