import type { ApiClient } from '#test/api-client.ts';
import type { Setup } from '#test/robustness/setups/setup.ts';
import { until, untilServed } from './api.ts';

/** Which server of each kind a gateway reaches: that of its own number, or the other one. */
export type Pairing = 'straight' | 'crossed';

/** Leaves each gateway one server of each kind, so that a request tells which of them answered. */
export async function pairUp(setup: Setup, clients: readonly ApiClient[], pairing: Pairing): Promise<void> {
  for (const link of setup.links) {
    const [, gateway, server] = /^gateway-(\d)→(?:core|extensions)-(\d)$/.exec(link.name) ?? [];
    if (gateway === undefined || server === undefined) continue;
    const isCut = (gateway === server) !== (pairing === 'straight');
    link.refuse(isCut);
    if (isCut) link.cut();
  }
  await untilServed(clients);
}

/** The name of the server behind a gateway. */
export function partnerOf(gateway: number, server: 'core' | 'extensions' | 'gateway', pairing: Pairing): string {
  if (server === 'gateway') return `gateway-${gateway + 1}`;
  const number = pairing === 'straight' ? gateway + 1 : 2 - gateway;
  return `gateway-${gateway + 1} and ${server}-${number}`;
}

/** Waits until each process that was ended serves again. */
export async function untilAllServe(setup: Setup): Promise<void> {
  await until('all processes serve', () => Promise.resolve(setup.processes.every(({ serves }) => serves)));
}
