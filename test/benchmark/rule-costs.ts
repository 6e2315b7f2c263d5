// What rules of custom resources cost: kbench crcreate with 20 rules and without any, on this server and on the
// reference in turn.
//   node --import tsx test/benchmark/rule-costs.ts [--rounds 5] [--seconds 2] [--rules 20] [--only ours|reference]
// Fails where rules cost more than README.md allows. Needs `npm run build`; kbench lies in $REFERENCE_BIN.
import { parseArgs } from 'node:util';
import { JsonClient } from '#test/json-client.ts';
import { adminToken } from '#test/tokens.ts';
import { figureIn, kbenchOn, ours, reference, type RunningSubject, type Subject } from './subjects.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    rules: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
  },
});
const ofReference = 0.25;
const ofWithout = 1.1;
const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.kbench.example.com';

interface Costs {
  readonly withRules: number[];
  readonly without: number[];
}

/** CPU of all processes for one create, in µs. kbench makes the definition, which goes again. */
async function create(server: RunningSubject, flags: readonly string[]): Promise<number> {
  const cpu = figureIn(await kbenchOn(server, ['-run', 'crcreate', '-d', `${values.seconds}s`, ...flags]), 'CPU');
  const client = new JsonClient(server.url, adminToken);
  await client.call('DELETE', definition);
  while ((await client.call('GET', definition)).status !== 404) await new Promise((resolve) => setTimeout(resolve, 50));
  return cpu;
}

async function measure(subject: Subject): Promise<Costs> {
  const server = await subject.start();
  const costs: Costs = { withRules: [], without: [] };
  try {
    for (let round = 0; round <= Number(values.rounds); round++) {
      const withRules = await create(server, ['-rules', values.rules]);
      const without = await create(server, ['-rule=false']);
      // The first round warms up.
      if (round === 0) continue;
      costs.withRules.push(withRules);
      costs.without.push(without);
    }
  } finally {
    await server.stop();
    await subject.end();
  }
  return costs;
}

function middle(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

function tell(name: string, { withRules, without }: Costs): number {
  const ratio = middle(withRules) / middle(without);
  console.log(
    `${name}: ${values.rules} rules ${middle(withRules)} us (best ${Math.min(...withRules)}), none ${middle(without)} us (best ${Math.min(...without)}); ratio ${ratio.toFixed(2)}, of the best ${(Math.min(...withRules) / Math.min(...without)).toFixed(2)}`,
  );
  return ratio;
}

const own = values.only === 'reference' ? undefined : await measure(ours());
const other = values.only === 'ours' ? undefined : await measure(await reference());
const ownRatio = own === undefined ? 0 : tell('ours', own);
if (other !== undefined) tell('reference', other);
const beside = own === undefined || other === undefined ? 0 : middle(own.withRules) / middle(other.withRules);
if (beside > 0) console.log(`with rules ours takes ${beside.toFixed(2)} of the reference's CPU`);
if (ownRatio > ofWithout || beside > ofReference) {
  console.log(`allowed are ${ofWithout} of what it takes without rules, and ${ofReference} of the reference`);
  process.exitCode = 1;
}
