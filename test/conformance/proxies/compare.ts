import { isDeepStrictEqual } from 'node:util';
import { play, type Seen } from './play.ts';
import type { ProxyRequest } from './requests.ts';

/** Requests whose answers differ on purpose, and why. */
export interface Explanation {
  readonly names: RegExp;
  readonly why: string;
}

type Requests = ReadonlyMap<string, ProxyRequest>;

const atOnce = 4;

/** Those whose names match the expression behind `--only` on the command line; without it all. */
export function chosen(all: Requests): Requests {
  const at = process.argv.indexOf('--only');
  if (at < 0) return all;
  const only = new RegExp(process.argv[at + 1] ?? '');
  return new Map([...all].filter(([name]) => only.test(name)));
}

/** What a client sees of the answer to each. */
export async function askAll(url: string, requests: Requests): Promise<Map<string, Seen>> {
  const waiting = [...requests];
  const seen = new Map<string, Seen>();
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) seen.set(one[0], await play(url, one[1]));
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return seen;
}

/** Prints what differs. Returns the exit code: 0 where all that differs is explained. */
export function compare(
  title: string,
  reference: ReadonlyMap<string, Seen> = new Map(),
  ours: ReadonlyMap<string, Seen> = new Map(),
  explained: readonly Explanation[],
): 0 | 1 {
  let differences = 0;
  let known = 0;
  for (const [name, wanted] of reference) {
    const got = ours.get(name);
    if (isDeepStrictEqual(wanted, got)) continue;
    if (explained.some(({ names }) => names.test(name))) {
      known++;
      continue;
    }
    differences++;
    process.stdout.write(
      `${name}\n  reference ${JSON.stringify(wanted).slice(0, 1500)}\n  ours      ${JSON.stringify(got).slice(0, 1500)}\n`,
    );
  }
  process.stdout.write(`${title}: ${reference.size} requests, ${differences} differences, ${known} explained\n`);
  return differences === 0 ? 0 : 1;
}
