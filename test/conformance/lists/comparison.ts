import { isObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { differencesOf } from '#test/compare/differences.ts';
import { Report } from '#test/compare/report.ts';
import type { Answer, Peer } from './peer.ts';

/** At most so many requests at a time: some take three seconds. */
const atATime = 12;

/** Asks both servers the same, a dozen requests at a time. */
export class Comparison {
  readonly #report = new Report();

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
    this.#report.note(part, what, differencesOf({ ...want }, { ...have }));
  }

  /** @see Report.finish */
  finish(): 0 | 1 {
    return this.#report.finish();
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
