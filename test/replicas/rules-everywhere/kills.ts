import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '#test/api-client.ts';
import { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import type { SupervisedProcess } from '#test/robustness/faults/supervised-process.ts';
import type { Setup } from '#test/robustness/setups/setup.ts';
import { untilServed } from './api.ts';
import { ForbiddenWrites } from './forbidden-writes.ts';
import { untilAllServe } from './pairs.ts';
import { manners, type RuleWebhook } from './rule-webhook.ts';
import { makeFirstRules, makeLateRule } from './rules-in-force.ts';

/** A rule that was acknowledged is in force everywhere after this time. */
const inForceMs = 1_000;
const afterFaultMs = 500;
/** Beyond the time for which a request waits for rules that are not known yet. */
const longFreezeMs = 12_000;
const longFreezeEvery = 8;

export interface KillsOptions {
  readonly setup: Setup;
  readonly clients: readonly ApiClient[];
  readonly webhook: RuleWebhook;
  readonly kills: number;
  readonly seed: number;
  readonly tell: (line: string) => void;
}

/** Kills and freezes processes while clients write what rules forbid. Returns what was admitted against a rule. */
export async function killUnderRules(options: KillsOptions): Promise<readonly string[]> {
  const { setup, clients, webhook, kills, tell } = options;
  const [client] = clients;
  if (client === undefined) throw new Error('there is no gateway');
  const random = new SeededRandom(options.seed);
  const writes = new ForbiddenWrites();
  const rules = await makeFirstRules(client, webhook, writes);
  await sleep(inForceMs);
  for (const rule of rules) writes.enforce(rule);
  writes.start(setup, clients);
  for (let kill = 0; kill < kills; kill++) {
    webhook.manner = manners[kill % manners.length] ?? 'right';
    const rule = await makeLateRule(client, webhook, writes, kill);
    const harm = planHarm(setup, kill, random);
    // Other processes hear of the rule by the storage; those of the API must know it when they start.
    if (!harm.isOfStorage) harm.killed.kill(harm.restartAfterMs);
    await sleep(inForceMs);
    writes.enforce(rule);
    tell(await doHarm(harm));
    await untilAllServe(setup);
    await untilServed(clients);
  }
  webhook.manner = 'right';
  await writes.stop();
  await writes.checkStored(client);
  const counts = [...writes.counts].toSorted(([a], [b]) => a.localeCompare(b));
  tell(`${kills} kills; ${counts.map(([what, count]) => `${what} ${count}`).join(', ')}`);
  return [...writes.violations, ...unexpected(setup, writes)];
}

/** Ends of processes that nobody asked for, and answers that a run without meaning would lack. */
function unexpected(setup: Setup, { counts }: ForbiddenWrites): string[] {
  const answers = [
    'no write: POST 422',
    'no write: PATCH 422',
    'no write: DELETE 422',
    'mark: POST 201',
    'no rule: POST 201',
  ];
  return [
    ...setup.processes.flatMap(({ unexpectedEnds }) => unexpectedEnds),
    ...answers.filter((answer) => !counts.has(answer)).map((answer) => `there was no "${answer}"`),
  ];
}

interface Harm {
  readonly killed: SupervisedProcess;
  readonly isOfStorage: boolean;
  readonly restartAfterMs: number;
  readonly frozen: SupervisedProcess;
  readonly freezeMs: number;
}

/** One process after the other is killed, and another one is frozen meanwhile. */
function planHarm({ processes }: Setup, kill: number, random: SeededRandom): Harm {
  const killed = processAt(processes, kill);
  return {
    killed,
    isOfStorage: /^(?:etcd|store)/.test(killed.name),
    restartAfterMs: random.between(50, 1_500),
    frozen: processAt(processes, kill + random.between(1, processes.length - 1)),
    freezeMs: kill % longFreezeEvery === longFreezeEvery - 1 ? longFreezeMs : random.between(300, 2_500),
  };
}

async function doHarm({ killed, isOfStorage, restartAfterMs, frozen, freezeMs }: Harm): Promise<string> {
  frozen.freeze(true);
  if (isOfStorage) killed.kill(restartAfterMs);
  await sleep(freezeMs);
  frozen.freeze(false);
  await sleep(afterFaultMs);
  return `${killed.name} killed and started again after ${restartAfterMs} ms, ${frozen.name} frozen for ${freezeMs} ms`;
}

function processAt(processes: readonly SupervisedProcess[], index: number): SupervisedProcess {
  const process = processes[index % processes.length];
  if (process === undefined) throw new RangeError('there are no processes');
  return process;
}
