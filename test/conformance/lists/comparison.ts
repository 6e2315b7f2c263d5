import { isObject } from '../../../shared/apimachinery/json.ts';
import { objectAt } from '../../../shared/apimachinery/object.ts';
import { differencesOfAnswers } from './differences.ts';
import type { Answer, Peer } from './peer.ts';

/** At most so many requests at a time: some take three seconds. */
const atATime = 12;

/** Counts and keeps what differs between the two servers. */
export class Comparison {
  readonly #counts = new Map<string, { compared: number; differ: number }>();
  readonly #differences: string[] = [];

  /** Requests that change nothing, each sent to both. */
  async ask(part: string, peers: readonly [Peer, Peer], paths: readonly string[]): Promise<void> {
    await inTurns(paths, async (path) => {
      const [have, want] = await Promise.all(peers.map((peer) => peer.ask('GET', path)));
      if (have && want) this.note(part, `GET ${path}`, have, want);
    });
  }

  async watch(part: string, peers: readonly [Peer, Peer], paths: readonly string[]): Promise<void> {
    await inTurns(paths, async (path) => {
      const [have, want] = await Promise.all(peers.map((peer) => peer.watch(path, 6000)));
      if (have && want) this.note(part, `WATCH ${path}`, withoutRegularBookmarks(have), withoutRegularBookmarks(want));
    });
  }

  note(part: string, what: string, have: Answer, want: Answer): void {
    const count = this.#counts.get(part) ?? { compared: 0, differ: 0 };
    this.#counts.set(part, count);
    count.compared += 1;
    const differences = differencesOfAnswers(want, have);
    if (differences.length === 0) return;
    count.differ += 1;
    this.#differences.push(`${part}: ${what}\n    ${differences.slice(0, 6).join('\n    ').slice(0, 1200)}`);
  }

  /** Prints it; whether all was equal. */
  report(): boolean {
    for (const difference of this.#differences) console.log(difference);
    for (const [part, { compared, differ }] of this.#counts)
      console.log(`${part}: ${compared} answers compared, ${differ} differ`);
    return this.#differences.length === 0;
  }
}

/** Whether there is one before the end depends on what else was written; the part `bookmarks` sees to that. */
function withoutRegularBookmarks({ status, body }: Answer): Answer {
  if (!Array.isArray(body)) return { status, body };
  return {
    status,
    body: body.filter(
      (event) =>
        !isObject(event) ||
        event['type'] !== 'BOOKMARK' ||
        objectAt(event, 'object', 'metadata', 'annotations') !== undefined,
    ),
  };
}

async function inTurns<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (const item of queue) await run(item);
    }),
  );
}
