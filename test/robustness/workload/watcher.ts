import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenAnswer } from '#test/api-client.ts';
import type { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import type { Caller } from './caller.ts';
import type { History, WatchRecord } from './history.ts';
import { listedItems } from './lister.ts';
import { workResources } from './resources.ts';
import type { ResourceName } from './resources.ts';
import { revisionOf } from './writer.ts';

export interface WatcherOptions {
  readonly label: string;
  readonly resource: ResourceName;
  readonly color?: string;
  /** The state comes as events (`sendInitialEvents`) instead of a list. */
  readonly streaming?: boolean;
  readonly caller: Caller;
  readonly history: History;
  readonly namespace: string;
  readonly random: SeededRandom;
}

interface WatchMessage {
  readonly type: string;
  readonly object: {
    readonly metadata: {
      readonly name: string;
      readonly resourceVersion: string;
      readonly annotations?: Record<string, string>;
    };
    readonly code?: number;
  };
}

const retryMs = 50;
const longestOpenMs = 20_000;

/** An informer: lists, watches, goes on from the last resourceVersion after every loss, and lists again at 410. */
export class Watcher {
  readonly record: WatchRecord;
  readonly #options: WatcherOptions;
  readonly #path: string;
  readonly #selector: string;
  #revision = 0;
  #answer: OpenAnswer | undefined;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.record = {
      label: options.label,
      resource: options.resource,
      steps: [],
      ...(options.color === undefined ? {} : { color: options.color }),
    };
    options.history.watches.push(this.record);
    this.#path = workResources[options.resource].path(options.namespace);
    this.#selector = options.color === undefined ? '' : `&labelSelector=color%3D${options.color}`;
    this.#running = this.#run();
  }

  /** Everything up to here has been seen; 0 before the first list. */
  get revision(): number {
    return this.#revision;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#answer?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      if (this.#revision === 0 && this.#options.streaming !== true) await this.#list();
      else await this.#watch();
      await sleep(retryMs);
    }
  }

  async #list(): Promise<void> {
    const reply = await this.#options.caller.send('GET', `${this.#path}?${this.#selector.slice(1)}`);
    if (reply.status !== 200)
      return this.#options.history.refuse(`LIST of a watcher ${reply.status} ${reply.said.replaceAll(/\d+/g, '…')}`);
    this.#revision = revisionOf(reply.json);
    this.record.steps.push({ kind: 'listed', revision: this.#revision, items: listedItems(reply.json) });
  }

  async #watch(): Promise<void> {
    const { caller, random } = this.#options;
    const from =
      this.#revision === 0
        ? 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
        : `resourceVersion=${this.#revision}`;
    const answer = await caller.open(`${this.#path}?watch=1&allowWatchBookmarks=true&${from}${this.#selector}`);
    if (answer === undefined) return;
    if (this.#revision === 0 && answer.status === 200) this.record.steps.push({ kind: 'streaming' });
    this.#answer = answer;
    // Some connections are lost at the client's side.
    const timer = setTimeout(() => answer.close(), random.between(500, longestOpenMs));
    try {
      await this.#take(answer);
    } finally {
      clearTimeout(timer);
      answer.close();
      if (answer.status !== 200) await this.#refused(answer);
    }
  }

  async #take(answer: OpenAnswer): Promise<void> {
    if (answer.status !== 200) return;
    const initial = this.#revision === 0;
    let synced = !initial;
    let seen = 0;
    for (;;) {
      try {
        await answer.until(seen + 1);
      } catch {
        // A state that did not come whole is of no use.
        if (!synced) this.#revision = 0;
        return;
      }
      while (seen < answer.lines.length) {
        const message = this.#parse(answer.lines[seen++] ?? '');
        if (message === undefined || this.#stopped) return;
        const { metadata, code } = message.object;
        if (message.type === 'ERROR') {
          if (code === 410) this.#revision = 0;
          else this.#options.history.refuse(`ERROR event of code ${code}`);
          return;
        }
        const revision = Number(metadata.resourceVersion);
        if (message.type === 'BOOKMARK') {
          const endOfInitial = metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
          this.record.steps.push({ kind: 'bookmark', revision, endOfInitial });
          if (endOfInitial) synced = true;
        } else this.record.steps.push({ kind: 'event', type: message.type, name: metadata.name, revision });
        if (synced) this.#revision = revision;
      }
    }
  }

  async #refused(answer: OpenAnswer): Promise<void> {
    if (answer.status === 410) this.#revision = 0;
    else this.#options.history.refuse(`watch ${answer.status}`);
    await sleep(retryMs);
  }

  #parse(line: string): WatchMessage | undefined {
    try {
      return JSON.parse(line) as WatchMessage;
    } catch {
      this.#options.history.violations.push(
        `${this.record.label}: a line of a watch is no JSON: ${line.slice(0, 200)}`,
      );
      return undefined;
    }
  }
}
