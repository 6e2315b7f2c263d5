// Compares this server with the reference by random policies, webhooks and their configurations, and by writes of
// objects that keep and break them:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/random-policies/run.ts [--minutes 20 | --rounds 5] [--first 0] [--seed 1] [--report FILE]
// Each seed and round makes the same configurations and requests. What leads to a difference is in the report as a
// whole. Needs the bundles of dist (or QUARTERDECK_DIST).
import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { sendJson, type Server } from '#test/compare/exchange.ts';
import { startPair } from '#test/compare/pair.ts';
import { PatientServers } from '#test/compare/patient-servers.ts';
import { Report } from '#test/compare/report.ts';
import { Random } from '#test/conformance/random-rules/random.ts';
import { asSide } from '#test/conformance/webhooks/comparable.ts';
import { startWebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import { Configurator, itemPath, registrationGroup, type Configuration } from './configurations.ts';
import { isExplained } from './explained.ts';
import { markersOf, untilActive } from './markers.ts';
import { Scenario } from './play-scenario.ts';
import { prepare } from './prepare.ts';
import { byScenario, type Reviews } from './reviews.ts';
import { randomRound, scenarioName, type Round, type ServedVersions } from './round.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rounds: { type: 'string' },
    first: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
  },
});
const lanes = 4;
const scenariosOfRound = 60;
const sides = ['ours', 'theirs'] as const;

const webhooks = await startWebhookServer();
const address = {
  caBundle: webhooks.caBundle,
  url: (behaviour: string, name: string) => `https://127.0.0.1:${webhooks.port}/SIDE/${behaviour}/${name}`,
};
const group = 'admissionregistration.k8s.io';
const pair = await startPair({ flags: [`--runtime-config=${group}/v1beta1=true,${group}/v1alpha1=true`] });
const report = new Report({ shown: 60 });
const [ours, theirs] = sides.map((side) => asSide(pair[side].server, side)) as [Server, Server];
const servers = new PatientServers(ours, theirs, report, isExplained);
if (flags.report !== undefined) writeFileSync(flags.report, '');

const end = flags.rounds === undefined ? performance.now() + Number(flags.minutes) * 60_000 : Number.POSITIVE_INFINITY;
const first = Number(flags.first);
const last = flags.rounds === undefined ? Number.POSITIVE_INFINITY : first + Number(flags.rounds);
let [round, configurations, refused, writes, taken] = [first, 0, 0, 0, 0];
let previous: readonly string[] = [];
try {
  await Promise.all([ours, theirs].map((server) => prepare(server)));
  const served = await servedVersions();
  for (; round < last && performance.now() < end; round++) await playRound(round, served);
  console.log(
    `${round - first} rounds: ${configurations} configurations and ${refused} refused, ${writes} writes, ${taken} of them taken`,
  );
  process.exitCode = report.finish();
} finally {
  await pair.close();
  webhooks.close();
}
process.exit();

async function servedVersions(): Promise<ServedVersions> {
  const versions = new Map<string, string[]>();
  for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
    const { status, body } = await sendJson(theirs, 'GET', `${registrationGroup}/${version}`);
    if (status !== 200) continue;
    for (const { name } of (body as unknown as { resources: readonly { name: string }[] }).resources)
      versions.set(name, [...(versions.get(name) ?? []), version]);
  }
  return versions;
}

async function playRound(number: number, served: ServedVersions): Promise<void> {
  const random = randomOf(number);
  const made = randomRound(random, number, served, address);
  for (const path of previous) await servers.send({ method: 'DELETE', path });
  const configurator = new Configurator(random, servers);
  const active = await makeAll(configurator, made);
  const word = `marker-${number}`;
  previous = [...configurator.made, ...markersOf(word, address).map(itemPath)];
  await Promise.all([ours, theirs].map((server) => untilActive(server, word, address)));
  for (const side of sides) webhooks.take(side);
  const equal = new Set<string>();
  const waiting = Array.from({ length: scenariosOfRound }, (_, at) => at);
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
        const name = scenarioName(number, at);
        const about = (history: JsonValue): string => aboutOf(active, history);
        const scenario = new Scenario(randomOf(number, at), { servers, round: made, name, about });
        await scenario.play();
        writes += scenario.writes;
        taken += scenario.taken;
        if (scenario.isEqual) equal.add(name);
      }
    }),
  );
  compareReviews(equal, active);
}

async function makeAll(configurator: Configurator, made: Round): Promise<Configuration[]> {
  const active: Configuration[] = [];
  for (const chain of made.configurations)
    for (const one of chain) {
      const isMade = await configurator.make(one);
      if (isMade) active.push(one);
      if (isMade) configurations++;
      else {
        refused++;
        break;
      }
    }
  return active;
}

/** What was asked, and the configurations that name the slots in it; the report has all of them. */
function aboutOf(active: readonly Configuration[], asked: JsonValue): string {
  const text = JSON.stringify(asked);
  const words = [...new Set(text.match(/r\d+s\d+/g)), '-broad'];
  const texts = active.map(({ object }) => JSON.stringify(object).replaceAll(/"caBundle":"[^"]*"/g, '"caBundle":""'));
  const told = texts.filter((one) => words.some((word) => one.includes(word)));
  const names = told.map((one) => /"name":"([^"]*)"/.exec(one)?.[1] ?? '');
  const bindings = texts.filter((one) => names.some((name) => one.includes(`"policyName":"${name}"`)));
  if (flags.report !== undefined) appendFileSync(flags.report, `${[text, ...told, ...bindings].join('\n    ')}\n\n`);
  return [text, ...told].join(' under ');
}

/** The reviews that the webhooks got for scenarios whose answers were the same. */
function compareReviews(equal: ReadonlySet<string>, active: readonly Configuration[]): void {
  const [here, there] = sides.map((side) => byScenario(webhooks.take(side))) as [Reviews, Reviews];
  for (const name of equal) {
    const [have, want] = [here, there].map((reviews) => [...(reviews.get(name) ?? [])]) as [JsonValue[], JsonValue[]];
    servers.equal('reviews', name, want, have, () => aboutOf(active, [want, have]));
  }
}

/** What a seed, a round and an object of it determine. */
function randomOf(number: number, object = -1): Random {
  const random = new Random(Number(flags.seed) * 100_003 + number * 7919 + object * 613 + 614);
  for (let warm = 0; warm < 5; warm++) random.below(2);
  return random;
}
