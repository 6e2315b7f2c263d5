import { setTimeout as pause } from 'node:timers/promises';
import type { Side } from '#test/compare/pair.ts';
import { countedRequests, type CountedRequest } from './requests.ts';
import { ask, metricsOf } from './side.ts';

/** What the reference asks itself all the time. */
const background =
  /subresource="openapi\/v3"|resource="(?:limitranges|leases|endpoints|endpointslices|services|servicecidrs|ipaddresses|namespaces|nodes|serviceaccounts)"/;
/** Requests are counted when their handlers end, a little after their answers. */
const settleMs = 60;

/** How often each request, by what it is, was counted as what. */
export async function countsOf(side: Side): Promise<Map<string, string[]>> {
  const counted = new Map<string, string[]>();
  let before = await totals(side);
  for (const asked of countedRequests) {
    const { status } = await ask(side, asked);
    await pause(settleMs);
    const after = await totals(side);
    const counts = growth(before, after).filter(
      (line) => asked.path.startsWith('/openapi/v3') || !background.test(line),
    );
    counted.set(nameOf(asked, counted.size), [`answered ${status}`, ...counts]);
    before = after;
  }
  return counted;
}

function nameOf({ method = 'GET', path, type, accept, as, isAnonymous }: CountedRequest, at: number): string {
  const details = [type, accept, as, isAnonymous === true ? 'anonymous' : undefined].filter((one) => one !== undefined);
  return `${at}. ${method} ${path} ${details.join(' ')}`;
}

async function totals(side: Side): Promise<ReadonlyMap<string, number>> {
  return (await metricsOf(side)).get('apiserver_request_total')?.values ?? new Map<string, number>();
}

function growth(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
  return [...after]
    .filter(([labels, count]) => count !== (before.get(labels) ?? 0))
    .map(([labels, count]) => `${labels} ${count - (before.get(labels) ?? 0)}`);
}
