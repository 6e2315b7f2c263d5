import { setTimeout as pause } from 'node:timers/promises';
import type { Side } from '#test/compare/pair.ts';
import { growth } from './growth.ts';
import { countedRequests, type CountedRequest } from './requests.ts';
import { ask, metricsOf } from './side.ts';

/** What the reference asks itself all the time. */
const background =
  /subresource="openapi\/v3"|resource="(?:limitranges|leases|endpoints|endpointslices|services|servicecidrs|ipaddresses|namespaces|nodes|serviceaccounts)"/;
/** Of what the reference asks itself, too: what is counted on top of a request is left out by the fewest counts. */
const backgroundTries = 4;
/** Requests are counted when their handlers end, a little after their answers. */
const settleMs = 60;

/** How often each request, by what it is, was counted as what. */
export async function countsOf(side: Side): Promise<Map<string, string[]>> {
  const counted = new Map<string, string[]>();
  for (const asked of countedRequests) {
    const isBackground = asked.path.startsWith('/openapi/v3');
    const tries = isBackground ? backgroundTries : 1;
    let fewest: string[] | undefined;
    for (let at = 0; at < tries; at++) {
      const counts = await countsOfOne(side, asked, isBackground);
      if (fewest === undefined || sumOf(counts) < sumOf(fewest)) fewest = counts;
    }
    counted.set(nameOf(asked, counted.size), fewest ?? []);
  }
  return counted;
}

/** The sum of the numbers at the ends of lines. */
function sumOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

async function countsOfOne(side: Side, asked: CountedRequest, withBackground: boolean): Promise<string[]> {
  const before = await totals(side);
  const { status } = await ask(side, asked);
  await pause(settleMs);
  const counts = growth(before, await totals(side));
  return [`answered ${status}`, ...counts.filter((line) => withBackground || !background.test(line))];
}

function nameOf({ method = 'GET', path, type, accept, as, isAnonymous }: CountedRequest, at: number): string {
  const details = [type, accept, as, isAnonymous === true ? 'anonymous' : undefined].filter((one) => one !== undefined);
  return `${at}. ${method} ${path} ${details.join(' ')}`;
}

async function totals(side: Side): Promise<ReadonlyMap<string, number>> {
  return (await metricsOf(side)).get('apiserver_request_total')?.values ?? new Map<string, number>();
}
