// Validation, by mutation: every valid object with one member changed is created, put in the place of the valid one and
// of its status, in dry runs on this server and on the reference, whose answers must be the same:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/validation-sweep/run.ts [--only Pod,Service] [--share 1]
// Asked is one question of so many (`--share`, 1: all). With --reference URL and --ours URL servers that run already
// are used (token in DIFFERENTIAL_TOKEN). Prints what differs, and how many answers are equal, kind by kind.
import { parseArgs } from 'node:util';
import { loadFacts } from '#shared/api/load-facts.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import type { Exchange, Sent } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { serversAt } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { prepare } from '#test/conformance/differential/prepare.ts';
import { seeds, type Seed } from '#test/conformance/differential/seeds.ts';
import { adminToken } from '#test/tokens.ts';
import { mutantsOf } from './mutants.ts';

const { values: flags } = parseArgs({
  options: {
    reference: { type: 'string' },
    ours: { type: 'string' },
    only: { type: 'string', default: '' },
    share: { type: 'string', default: '1' },
  },
});
const pair = await serversAt(flags, process.env['DIFFERENTIAL_TOKEN'] ?? adminToken);
const { theirs: reference, ours } = pair;
const headers = { 'content-type': 'application/json', accept: 'application/json' };
const parallel = 6;
/**
 * Where the reference walks a map (pkg/apis/apps/validation/validation.go, volumesToAddForTemplates) its answers to one
 * question differ: ours must be one of so many.
 */
const mostAnswers = 10;

/** Names that some kinds take and others do not. */
const names = [
  'A_b',
  'a:b',
  'a.b',
  'a/b',
  '..',
  '1a',
  '-a',
  'a%',
  'system:x',
  'fe80::1',
  'x'.repeat(53),
  'x'.repeat(64),
  'x'.repeat(254),
];

interface Tally {
  asked: number;
  equal: number;
  refused: number;
  /** Refused in the same way by both, mistakes in the same order. */
  inOrder: number;
}

const report = new Report();

/** Both servers have the valid object; undefined where one refuses it. */
async function keep(seed: Seed, name: string): Promise<readonly [Exchange, Exchange]> {
  const body = JSON.stringify({ ...seed.object, metadata: { ...seed.object.metadata, name, finalizers: undefined } });
  const send = async (server: typeof ours): Promise<Exchange> => {
    await server.send({ method: 'POST', path: seed.path, headers, body });
    return server.send({ method: 'GET', path: `${seed.path}/${name}`, headers, body: undefined });
  };
  return Promise.all([send(reference), send(ours)]);
}

/** The fields of its mistakes. */
function orderOf({ body }: Exchange): string {
  const causes = isObject(body) && isObject(body['details']) ? body['details']['causes'] : undefined;
  return Array.isArray(causes) ? causes.map((cause) => (isObject(cause) ? String(cause['field']) : '')).join() : '';
}

async function ask(what: string, toReference: Sent, toOurs: Sent, tally: Tally): Promise<void> {
  const [wanted, have] = await Promise.all([reference.send(toReference), ours.send(toOurs)]);
  // The reference panicked.
  if (wanted.status === 0) return;
  const answers = [normalForm(wanted, true)];
  let differences = differencesFromAll(answers, normalForm(have, true));
  while (differences.length > 0 && answers.length < mostAnswers) {
    answers.push(normalForm(await reference.send(toReference), true));
    differences = differencesFromAll(answers, normalForm(have, true));
  }
  tally.asked += 1;
  if (wanted.status >= 400) tally.refused += 1;
  report.note('validation', what, differences);
  if (differences.length === 0) {
    tally.equal += 1;
    if (wanted.status >= 400 && orderOf(wanted) === orderOf(have)) tally.inOrder += 1;
  }
}

/** Less what changes with every write, here and there at other times. */
function settledForm({ body }: Exchange): JsonObject | undefined {
  if (!isObject(body) || !isObject(body['metadata'])) return undefined;
  const { managedFields: _managedFields, ...metadata } = body['metadata'];
  return { ...body, metadata };
}

function* requestsFor(
  seed: Seed,
  kept: readonly [Exchange, Exchange],
): Generator<readonly [what: string, toReference: Sent, toOurs: Sent]> {
  const { group, version } = parseGroupVersion(String(seed.object.apiVersion));
  const kind = String(seed.object.kind);
  const schema = loadFacts().schema(group, version, kind);
  if (schema === undefined) return;
  const item = `${seed.path}/${String(isObject(kept[0].body) && isObject(kept[0].body['metadata']) ? kept[0].body['metadata']['name'] : '')}`;
  const send = (method: string, path: string, object: JsonObject): Sent => ({
    method,
    path: `${path}?dryRun=All&fieldManager=sweep`,
    headers,
    body: JSON.stringify(object),
  });
  for (const name of names) {
    const named = send('POST', seed.path, { ...seed.object, metadata: { ...seed.object.metadata, name } });
    yield [`create ${kind} metadata.name = ${name}`, named, named];
  }
  for (const { name, object } of mutantsOf(schema, seed.object))
    yield [`create ${kind} ${name}`, send('POST', seed.path, object), send('POST', seed.path, object)];
  if (kept.some(({ status }) => status !== 200)) return;
  const [there, here] = kept.map((exchange) => mutantsOf(schema, settledForm(exchange) ?? {}));
  for (const [index, { name, object }] of (there ?? []).entries()) {
    const own = here?.[index]?.object ?? object;
    if (!name.startsWith('status')) yield [`update ${kind} ${name}`, send('PUT', item, object), send('PUT', item, own)];
    else if (seed.subresources.includes('status'))
      yield [`status ${kind} ${name}`, send('PUT', `${item}/status`, object), send('PUT', `${item}/status`, own)];
  }
}

async function sweep(seed: Seed, tally: Tally): Promise<void> {
  const kept = await keep(seed, nameOf(seed));
  let position = 0;
  const share = Number(flags.share);
  const queue = requestsFor(seed, kept);
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const [what, toReference, toOurs] of queue)
        if (position++ % share === 0) await ask(what, toReference, toOurs, tally);
    }),
  );
}

function nameOf({ object }: Seed): string {
  return object.kind === 'IPAddress' || object.kind === 'APIService'
    ? String(object.metadata.name)
    : `sweep-${String(object.metadata.name)}`;
}

const all = seeds().filter(({ object }) => object.kind !== 'Thing' && object.kind !== 'APIService');
await Promise.all([reference, ours].map((server) => prepare(server, seeds())));
const chosen =
  flags.only === '' ? all : all.filter(({ object }) => flags.only.split(',').includes(String(object.kind)));
// Controllers write status soon after; those that are made first have it by their turn.
for (const seed of chosen) await keep(seed, nameOf(seed));
const tallies = new Map<string, Tally>();
for (const seed of chosen) {
  const kind = `${String(seed.object.apiVersion)} ${String(seed.object.kind)}`;
  const tally = tallies.get(kind) ?? { asked: 0, equal: 0, refused: 0, inOrder: 0 };
  tallies.set(kind, tally);
  await sweep(seed, tally);
  console.log(`${kind} ${String(seed.object.metadata.name)}: ${tally.equal} of ${tally.asked} equal`);
}
const sum = (key: keyof Tally): number => [...tallies.values()].reduce((total, tally) => total + tally[key], 0);
console.log(
  `${sum('equal')} of ${sum('asked')} answers equal; ${sum('refused')} refused, ${sum('inOrder')} of them in the same words and order`,
);
await pair.close();
process.exit(report.finish());
