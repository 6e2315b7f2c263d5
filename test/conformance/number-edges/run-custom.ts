// Definitions whose schemas have numeric keywords at the edges of int64 and float64, and their objects, beside the
// reference: creation of each, OpenAPI v2 and v3, and writes of edge values.
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/number-edges/run-custom.ts [--share 1]
// Asked is one question of so many (`--share`, 1: all; others each day). With --reference URL and --ours URL servers
// that run already are used. Needs the bundles of dist (or QUARTERDECK_DIST).
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { differencesOf } from '#test/compare/differences.ts';
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { everyGate } from '#test/conformance/gates/flag-sets.ts';
import { edgeValues, printed } from './edge-values.ts';
import { ask, comparable, type Asked, type ExactAnswer } from './exact-answer.ts';
import { definitionOf, edgeProperties } from './schema-edges.ts';

const { values: flags } = parseArgs({
  options: {
    reference: { type: 'string' },
    ours: { type: 'string' },
    share: { type: 'string', default: '1' },
  },
});
const share = Number(flags.share);
const turn = Math.floor(Date.now() / 86_400_000);
const parallel = 6;
const report = new Report();
const json = 'application/json';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Words of each run, so that servers that run already take new definitions. */
const run = `r${Date.now().toString(36)}`;

const pair =
  flags.ours !== undefined && flags.reference !== undefined
    ? { ours: { url: flags.ours }, theirs: { url: flags.reference }, close: async () => {} }
    : await startPair({ flags: everyGate });

async function compare(part: string, what: string, asked: Asked): Promise<readonly [ExactAnswer, ExactAnswer]> {
  const [theirs, ours] = await Promise.all([ask(pair.theirs.url, asked), ask(pair.ours.url, asked)]);
  // The reference panicked.
  if (theirs.status !== 0) report.note(part, what, differencesOf(comparable(theirs, asked), comparable(ours, asked)));
  return [theirs, ours];
}

async function inParallel<T>(items: readonly T[], work: (item: T, index: number) => Promise<void>): Promise<void> {
  const queue = items.entries();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const [index, item] of queue) await work(item, index);
    }),
  );
}

function write(method: string, path: string, type: string, body: unknown): Asked {
  return { method, path, headers: { accept: json, 'content-type': type }, body: printed(body) };
}

/** The properties that both servers accept, by the edge value in them. */
async function acceptedProperties(): Promise<Map<string, Record<string, object>>> {
  const accepted = new Map<string, Record<string, object>>();
  await inParallel(edgeProperties(), async ({ what, value, schema }, index) => {
    if ((index + turn) % share !== 0) return;
    const body = definitionOf(`${run}.dry.example.com`, { p: schema });
    const [theirs, ours] = await compare('definitions', what, write('POST', `${definitions}?dryRun=All`, json, body));
    if (theirs.status !== 201 || ours.status !== 201) return;
    const name = `${'type' in schema ? String(schema.type) : 'any'}${index}`;
    accepted.set(value, { ...accepted.get(value), [name]: schema });
  });
  return accepted;
}

async function modelOf(url: string, path: string, model: string): Promise<JsonObject | undefined> {
  const { body } = await ask(url, { method: 'GET', path, headers: { accept: json } });
  const schemas = isObject(body) ? (objectAt(body, 'components', 'schemas') ?? objectAt(body, 'definitions')) : {};
  return objectAt(schemas, model, 'properties', 'spec');
}

/** The numeric schemas in each document, digit by digit; v2 gets them some time after the definition. */
async function compareDocuments(group: string): Promise<void> {
  const model = `${group.split('.').toReversed().join('.')}.v1.Edge`;
  for (const path of [`/openapi/v3/apis/${group}/v1`, '/openapi/v2']) {
    let [theirs, ours] = [undefined, undefined] as (JsonObject | undefined)[];
    for (let attempt = 0; attempt < 60 && (theirs === undefined || ours === undefined); attempt++) {
      [theirs, ours] = await Promise.all([pair.theirs.url, pair.ours.url].map((url) => modelOf(url, path, model)));
      if (theirs === undefined || ours === undefined) await sleep(500);
    }
    report.note('OpenAPI', `${path} ${model}`, differencesOf(theirs ?? null, ours ?? null));
  }
}

/** Edge values in each property: created, patched and applied, in three wire forms. */
async function compareObjects(group: string, names: readonly string[]): Promise<void> {
  const path = `/apis/${group}/v1/namespaces/default/edges`;
  const typed = { apiVersion: `${group}/v1`, kind: 'Edge' };
  await compare('objects', `create ${group}`, write('POST', path, json, { ...typed, metadata: { name: 'kept' } }));
  const questions = names.flatMap((name) => edgeValues('int64').map((value) => ({ name, value })));
  await inParallel(questions, async ({ name, value }, index) => {
    if ((index + turn) % Math.max(7, share) !== 0) return;
    const content = name.startsWith('array') ? [value] : name.startsWith('object') ? { a: value } : value;
    const spec = { [name]: content };
    const item = `${path}/kept?dryRun=All&fieldManager=edges`;
    const title = `${group} ${name} = ${value}`;
    const object = { ...typed, metadata: { name: `e${index}` }, spec };
    await compare('objects', `create ${title}`, write('POST', `${path}?dryRun=All`, json, object));
    await compare('objects', `create YAML ${title}`, write('POST', `${path}?dryRun=All`, 'application/yaml', object));
    await compare('objects', `merge ${title}`, write('PATCH', item, 'application/merge-patch+json', { spec }));
    const applied = { ...typed, metadata: { name: 'kept' }, spec };
    await compare('objects', `apply ${title}`, write('PATCH', item, 'application/apply-patch+yaml', applied));
  });
  const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  await compare('objects', `Table ${group}`, { method: 'GET', path, headers: table });
  await compare('objects', `delete ${group}`, { method: 'DELETE', path, headers: { accept: json } });
}

try {
  const accepted = await acceptedProperties();
  let number = 0;
  const groups: (readonly [string, readonly string[]])[] = [];
  for (const [value, properties] of accepted) {
    const group = `${run}v${number++}.example.com`;
    const asked = write('POST', definitions, json, definitionOf(group, properties));
    const [theirs, ours] = await compare('definitions', `all with ${value}`, asked);
    if (theirs.status === 201 && ours.status === 201) groups.push([group, Object.keys(properties)]);
  }
  for (const [group, names] of groups) {
    await compareDocuments(group);
    await compareObjects(group, names);
    await compare('definitions', `read ${group}`, {
      method: 'GET',
      path: `${definitions}/edges.${group}`,
      headers: { accept: json },
    });
    await compare('definitions', `delete ${group}`, {
      method: 'DELETE',
      path: `${definitions}/edges.${group}`,
      headers: { accept: json },
    });
  }
} finally {
  await pair.close();
}
process.exit(report.finish());
