import { setTimeout as sleep } from 'node:timers/promises';
import { http2Client, type ApiClient, type ClusterAddress } from '#test/api-client.ts';

interface Event {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name?: string; readonly resourceVersion: string } };
}

/**
 * A watch as an informer keeps it: opened again after the last version seen, on a new connection where the old one is
 * gone.
 */
export class ResumingWatch {
  /** Names of what was added, in order. */
  readonly added: string[] = [];
  /** How often it was opened. */
  opened = 0;
  /** Ends that were no orderly ones: cut off in the middle. */
  cut = 0;
  /** Answers that were no watch. */
  readonly refused: string[] = [];
  readonly #cluster: ClusterAddress;
  readonly #path: string;
  #version: string;
  #stopped = false;
  readonly #running: Promise<void>;
  #close: () => void = () => undefined;

  constructor(cluster: ClusterAddress, path: string, version: string) {
    this.#cluster = cluster;
    this.#path = path;
    this.#version = version;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const client = http2Client(this.#cluster);
      try {
        await this.#watch(client);
      } catch (error) {
        if (!this.#stopped) this.refused.push(String(error));
        await sleep(10);
      }
      client.close();
    }
  }

  async #watch(client: ApiClient): Promise<void> {
    const answer = await client.open(`${this.#path}?watch=1&allowWatchBookmarks=true&resourceVersion=${this.#version}`);
    this.#close = () => answer.close();
    if (answer.status !== 200) throw new Error(`${answer.status}: ${(await answer.ended, answer.lines.join(''))}`);
    this.opened++;
    for (let seen = 0; !this.#stopped;) {
      const lines = await answer.until(seen + 1).catch(() => undefined);
      if (lines === undefined) break;
      for (; seen < lines.length; seen++) this.#take(JSON.parse(lines[seen] ?? '') as Event);
    }
    if (!this.#stopped && !(await answer.ended)) this.cut++;
  }

  #take({ type, object }: Event): void {
    if (type === 'ERROR') throw new Error(JSON.stringify(object));
    this.#version = object.metadata.resourceVersion;
    if (type === 'ADDED') this.added.push(object.metadata.name ?? '');
  }
}
