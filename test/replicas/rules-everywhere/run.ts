// Rules of users act in every process, and are passed over by none:
//   REFERENCE_BIN=… node --import tsx test/replicas/rules-everywhere/run.ts [--only spread|kills] [--within SECONDS]
// spread: two gateways, cores and extensions servers on etcd. Each kind of change is written through one gateway, and
// the time until it acts at each pair of gateway and server is printed; with the flag, none may be longer.
// kills: --setup replicas|embedded, --kills N, --seed N. Processes are killed and frozen, and webhooks are away, while
// clients write what rules forbid. A single object that is admitted fails the run.
import { parseArgs } from 'node:util';
import type { ApiClient } from '#test/api-client.ts';
import type { Setup } from '#test/robustness/setups/setup.ts';
import { startEmbedded } from '#test/robustness/setups/start-embedded.ts';
import { startOnEtcd } from '#test/robustness/setups/start-on-etcd.ts';
import { clientsOf, prepareCluster } from './api.ts';
import { killUnderRules } from './kills.ts';
import { RuleWebhook } from './rule-webhook.ts';
import { measureSpread, type Lag } from './spread.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'spread,kills' },
    within: { type: 'string', default: '10' },
    setup: { type: 'string', default: 'replicas,embedded' },
    kills: { type: 'string', default: '24' },
    seed: { type: 'string', default: '1' },
  },
});
const only = values.only.split(',');
const withinMs = Number(values.within) * 1000;
const mostTold = 30;
let failures = 0;

if (only.includes('spread')) await spread();
if (only.includes('kills')) {
  for (const name of values.setup.split(',')) await kills(name);
}
console.log(failures === 0 ? 'rules everywhere: as it should be' : `FAILED: ${failures} times`);
process.exitCode = failures === 0 ? 0 : 1;

async function spread(): Promise<void> {
  await onSetup(startOnEtcd(1, 2), (setup, clients, webhook) => measureSpread(setup, clients, webhook, tellLags));
}

function tellLags(lags: readonly Lag[]): void {
  const late = lags.filter(({ ms }) => ms > withinMs);
  failures += late.length;
  const slowest = Math.max(...lags.map(({ ms }) => ms));
  const figures = lags.map(({ place, ms }) => `${place} ${ms}`).join(', ');
  console.log(`${late.length > 0 ? 'LATE ' : ''}${lags[0]?.change}: ${slowest} ms at most (${figures})`);
}

async function kills(name: string): Promise<void> {
  await onSetup(name === 'embedded' ? startEmbedded() : startOnEtcd(3, 2), async (setup, clients, webhook) => {
    const options = { setup, clients, webhook, kills: Number(values.kills), seed: Number(values.seed) };
    const violations = await killUnderRules({
      ...options,
      tell: (line) => console.log(`${new Date().toISOString()} ${name}: ${line}`),
    });
    failures += violations.length;
    for (const violation of violations.slice(0, mostTold)) console.log(`${name}: VIOLATION ${violation}`);
  });
}

/** Whatever ends the work ends the processes, too. */
async function onSetup(
  starting: Promise<Setup>,
  work: (setup: Setup, clients: readonly ApiClient[], webhook: RuleWebhook) => Promise<void>,
): Promise<void> {
  const setup = await starting;
  const clients = clientsOf(setup);
  const webhook = await RuleWebhook.start();
  const stop = (): void => void setup.close().then(() => process.exit(1));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  try {
    await prepareCluster(setup, clients);
    await work(setup, clients, webhook);
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop);
    for (const client of clients) client.close();
    await setup.close();
    webhook.close();
  }
}
