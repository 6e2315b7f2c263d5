import { Report } from '#test/compare/report.ts';
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
  reference: ReadonlyMap<string, Seen>,
  ours: ReadonlyMap<string, Seen>,
  explained: readonly Explanation[],
): 0 | 1 {
  const report = new Report();
  report.answers(title, reference, ours, (name) => explained.some(({ names }) => names.test(name)));
  return report.finish();
}
