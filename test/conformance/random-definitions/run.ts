// Compares this server with the reference by random definitions: what both say to them, discovery, the documents of
// OpenAPI v2 and v3, and objects of each, read as they are and as Tables:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/random-definitions/run.ts [--rounds 30] [--seed 1] [--first 0]
// A round has ten definitions; `--first` goes on with a later round, and without a seed each day has its own. Needs the
// bundles of dist.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { startPair } from '#test/compare/pair.ts';
import { isGood, PatientServers } from '#test/compare/patient-servers.ts';
import { Report } from '#test/compare/report.ts';
import { TwoServers } from '#test/compare/two-servers.ts';
import { compareDocuments } from '#test/conformance/published-crds/compare-documents.ts';
import type { Definition } from '#test/conformance/published-crds/definitions.ts';
import { Random } from '#test/conformance/random-rules/random.ts';
import type { JsonClient } from '#test/json-client.ts';
import { playObjects } from './play-objects.ts';
import { plural, randomDefinition, type RandomDefinition } from './random-definition.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    first: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 86_400_000)) },
  },
});
const inRound = 10;
const lanes = 4;
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };

const pair = await startPair();
const clients: readonly JsonClient[] = [pair.ours.json, pair.theirs.json];
const report = new Report({ shown: 60 });
const servers = new PatientServers(pair.ours.server, pair.theirs.server, report);
let [made, refused] = [0, 0];

console.log(`seed ${flags.seed}`);
const first = Number(flags.first);
for (let round = first; round < first + Number(flags.rounds); round++) await playRound(round);
console.log(`${made} definitions made, ${refused} refused`);
await pair.close();
process.exit(report.finish());

async function playRound(round: number): Promise<void> {
  const waiting = Array.from({ length: inRound }, (_, index) => index);
  const taken: RandomDefinition[] = [];
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        const random = randomOf(round, index);
        const definition = randomDefinition(random, `d${index}.r${round}.example.com`);
        if (!(await define(definition))) continue;
        taken.push(definition);
        await untilServed(definition);
        await playObjects(random, servers, definition);
      }
    }),
  );
  if (taken.length > 0) await compareAllDocuments(taken);
  for (const { group } of taken)
    await servers.send({ method: 'DELETE', path: `${definitionsPath}/${plural}.${group}` });
}

/** Each definition has its own, so that what one draws does not hang on the others. */
function randomOf(round: number, index: number): Random {
  const random = new Random(Number(flags.seed) * 100_003 + round * 7919 + index * 613 + 1);
  for (let warm = 0; warm < 5; warm++) random.below(2);
  return random;
}

async function define({ object }: RandomDefinition): Promise<boolean> {
  const asked = { method: 'POST', path: definitionsPath, body: object };
  const done = await servers.write('definitions', asked, () => JSON.stringify(object['spec']));
  if (done === undefined) refused += 1;
  else made += 1;
  return done !== undefined;
}

async function untilServed({ group, versions }: RandomDefinition): Promise<void> {
  for (const { name } of versions) {
    const path = `/apis/${group}/${name}/${plural}`;
    for (let left = 200; left > 0 && !isGood(await servers.send({ method: 'GET', path })); left--) await sleep(50);
  }
}

/** Discovery and documents, as soon as both servers have all groups in them. */
async function compareAllDocuments(taken: readonly RandomDefinition[]): Promise<void> {
  const versions = taken.flatMap(({ group, versions: of }) => of.map(({ name }) => `${group}/${name}`));
  await Promise.all(clients.map((client) => untilPublished(client, versions)));
  const definitions = taken.map(({ object }) => object as unknown as Definition);
  await compareDocuments(
    new TwoServers('documents', report, pair.ours.server, pair.theirs.server),
    clients,
    definitions,
  );
  const { ours, theirs } = await servers.send({ method: 'GET', path: '/apis', headers: aggregated });
  for (const { group, object } of taken)
    servers.equal('aggregated discovery', group, groupIn(theirs.body, group), groupIn(ours.body, group), () =>
      JSON.stringify(object['spec']),
    );
}

/** The reference's documents follow its definitions after a while. */
async function untilPublished(client: JsonClient, versions: readonly string[]): Promise<void> {
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; await sleep(200)) {
    const { paths } = (await client.call('GET', '/openapi/v2')).body as { readonly paths: JsonObject };
    const index = (await client.call('GET', '/openapi/v3')).body as { readonly paths: JsonObject };
    const published = new Set(Object.keys(paths).map((path) => path.split('/').slice(2, 4).join('/')));
    if (versions.every((version) => published.has(version) && `apis/${version}` in index.paths)) return;
  }
}

/** The group in the list, with its resources in one order: the reference lists them in a random one. */
function groupIn(body: JsonValue, group: string): JsonValue {
  const items = isObject(body) && Array.isArray(body['items']) ? body['items'] : [];
  const found = items.find(
    (item) => isObject(item) && isObject(item['metadata']) && item['metadata']['name'] === group,
  );
  return found === undefined || !isObject(found) ? null : { versions: found['versions'] ?? null };
}
