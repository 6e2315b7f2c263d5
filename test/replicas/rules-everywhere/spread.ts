import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, ApiClient } from '#test/api-client.ts';
import type { Setup } from '#test/robustness/setups/setup.ts';
import { admissionChanges, convertBy, defineGadgets, gadgetPath, type Change } from './changes.ts';
import { pairUp, partnerOf, type Pairing } from './pairs.ts';
import type { RuleWebhook } from './rule-webhook.ts';
import { ruleLabel } from './rules.ts';

/** What was prepared has reached all processes after this time. */
const settleMs = 1_500;
/** How long the answers must stay as they should be. */
const steadyMs = 700;
const patienceMs = 10_000;
const pauseMs = 2;

/** Where one server's answers are asked for, and whether they show the change. */
interface Probe {
  readonly name: string;
  send(): Promise<Answer>;
  isKnown(answer: Answer): boolean;
}

/** How long a change took to act at one place. */
export interface Lag {
  readonly change: string;
  readonly place: string;
  readonly ms: number;
}

/**
 * Measures, for each change and each pair of gateway and server, how long after its acknowledgement the first request
 * was sent from which on all show the change.
 */
export async function measureSpread(
  setup: Setup,
  clients: readonly ApiClient[],
  webhook: RuleWebhook,
  tell: (lags: readonly Lag[]) => void,
): Promise<void> {
  const [first] = clients;
  if (first === undefined) throw new Error('there is no gateway');
  await defineGadgets(first, webhook);
  for (const pairing of ['straight', 'crossed'] as const) {
    await pairUp(setup, clients, pairing);
    // The first gateway writes, then the second.
    const writer = pairing === 'straight' ? first : (clients.at(-1) ?? first);
    for (const [index, change] of admissionChanges(webhook).entries()) {
      const rule = `${pairing}-${index}`;
      await change.prepare(writer, rule);
      await sleep(settleMs);
      const probes = clients.flatMap((client, gateway) => probesOf(change, rule, client, gateway, pairing));
      tell(await measure(change.title, probes, () => change.act(writer, rule)));
    }
    const probes = clients.map((client, gateway): Probe => ({
      name: partnerOf(gateway, 'extensions', pairing),
      send: () => client.send('GET', gadgetPath),
      isKnown: ({ text }) => text.includes(`convert-${pairing}`),
    }));
    tell(await measure('changed conversion webhook', probes, () => convertBy(writer, webhook, pairing)));
  }
}

function probesOf(change: Change, rule: string, client: ApiClient, gateway: number, pairing: Pairing): Probe[] {
  return change.kinds.map((kind) => ({
    name: `${kind.name} at ${partnerOf(gateway, kind.server, pairing)}`,
    send: () => client.send('POST', `${kind.path}?dryRun=All`, { body: kind.build({ [ruleLabel]: rule }) }),
    isKnown: (answer) => change.isKnown(answer, rule),
  }));
}

async function measure(change: string, probes: readonly Probe[], act: () => Promise<void>): Promise<readonly Lag[]> {
  let acknowledged = Infinity;
  const runs = probes.map(async (probe): Promise<Lag> => {
    if (probe.isKnown(await probe.send()))
      throw new Error(`${change}: ${probe.name} knew the change before it was made`);
    // When the first of the requests was sent that have shown the change since.
    let knownFrom = Infinity;
    for (;;) {
      const sent = performance.now();
      if (!probe.isKnown(await probe.send())) knownFrom = Infinity;
      else if (knownFrom === Infinity) knownFrom = sent;
      if (sent - Math.max(acknowledged, knownFrom) > steadyMs) break;
      if (sent - acknowledged > patienceMs) throw new Error(`${change}: ${probe.name} does not know it`);
      await sleep(pauseMs);
    }
    return { change, place: probe.name, ms: Math.max(0, Math.round(knownFrom - acknowledged)) };
  });
  // All probes are at work when the change is made.
  await sleep(steadyMs);
  await act();
  acknowledged = performance.now();
  return Promise.all(runs);
}
