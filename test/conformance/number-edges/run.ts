// Numbers, quantities, durations and times at the edges of their types, in every field of every built-in kind, beside
// the reference:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/number-edges/run.ts [--only Pod,Service] [--share 1]
// Asked is one value of so many (`--share`, 1: all), those that `--turn` says, from 0 to one less than the share; all
// turns make the whole. With --reference URL and --ours URL servers that run already are used. Needs the bundles of
// dist (or QUARTERDECK_DIST).
import { parseArgs } from 'node:util';
import { loadFacts } from '#shared/api/load-facts.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import { serverAt } from '#test/compare/exchange.ts';
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { prepare } from '#test/conformance/differential/prepare.ts';
import { seeds, type Seed } from '#test/conformance/differential/seeds.ts';
import { everyGate } from '#test/conformance/gates/flag-sets.ts';
import { adminToken } from '#test/tokens.ts';
import { edgeValues } from './edge-values.ts';
import { ask, comparable, sameWithinSeconds, type Asked, type ExactAnswer } from './exact-answer.ts';
import { isExplained } from './explained.ts';
import { pathText, placesOf, withValue, type Place } from './places.ts';
import { creations, lifeOf, writes, type Request, type Subject } from './requests.ts';

const { values: flags } = parseArgs({
  options: {
    reference: { type: 'string' },
    ours: { type: 'string' },
    only: { type: 'string', default: '' },
    share: { type: 'string', default: '1' },
    turn: { type: 'string', default: '0' },
    writes: { type: 'string', default: '2' },
  },
});
const share = Number(flags.share);
const turn = Number(flags.turn);
const parallel = 6;
/** Where the reference walks a map its answers to one question differ: ours must be one of so many. */
const mostAnswers = 6;
const report = new Report();

const pair =
  flags.ours !== undefined && flags.reference !== undefined
    ? { ours: { url: flags.ours }, theirs: { url: flags.reference }, close: async () => {} }
    : await startPair({ flags: everyGate });

/** Asks both; returns what both answered. */
async function compare(
  part: string,
  what: string,
  toTheirs: Asked,
  toOurs: Asked = toTheirs,
  isRepeatable = true,
): Promise<readonly [ExactAnswer, ExactAnswer]> {
  const [theirs, ours] = await Promise.all([ask(pair.theirs.url, toTheirs), ask(pair.ours.url, toOurs)]);
  // The reference panicked.
  if (theirs.status === 0) return [theirs, ours];
  const have = comparable(ours, toOurs);
  const wanted = [comparable(theirs, toTheirs)];
  const differences = (): string[] => differencesFromAll(wanted, sameWithinSeconds(wanted[0] ?? {}, have));
  const most = isRepeatable ? mostAnswers : 1;
  let lines = differences();
  while (lines.length > 0 && wanted.length < most) {
    wanted.push(comparable(await ask(pair.theirs.url, toTheirs), toTheirs));
    lines = differences();
  }
  report.note(part, what, lines, isExplained(what, lines));
  return [theirs, ours];
}

function settled({ body }: ExactAnswer): JsonObject | undefined {
  if (!isObject(body) || !isObject(body['metadata'])) return undefined;
  const object = cloneJson(body);
  if (isObject(object['metadata'])) delete object['metadata']['managedFields'];
  return object;
}

interface Task {
  readonly place: Place;
  readonly value: string;
  readonly number: number;
}

/** The valid object as a server has it. */
async function keep(url: string, { path, object }: Seed): Promise<JsonObject | undefined> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  await ask(url, { method: 'POST', path, headers, body: JSON.stringify(object) });
  return settled(await ask(url, { method: 'GET', path: `${path}/${String(object.metadata.name)}`, headers }));
}

async function sweep(seed: Seed): Promise<void> {
  const { group, version } = parseGroupVersion(String(seed.object.apiVersion));
  const kind = String(seed.object.kind);
  const schema = loadFacts().schema(group, version, kind);
  if (schema === undefined) return;
  const part = `${seed.object.apiVersion} ${kind}`;
  const subject: Subject = { path: seed.path, name: String(seed.object.metadata.name), object: seed.object };
  const [there, here] = await Promise.all([pair.theirs.url, pair.ours.url].map((url) => keep(url, seed)));
  const tasks: Task[] = placesOf(schema, seed.object)
    .flatMap((place) => edgeValues(place.type).map((value) => ({ place, value })))
    .map((task, number) => ({ ...task, number }))
    .filter(({ number }) => (number + turn) % share === 0);
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift())
        await tryValue(part, seed, subject, there, here, task);
    }),
  );
}

async function tryValue(
  part: string,
  seed: Seed,
  subject: Subject,
  there: JsonObject | undefined,
  here: JsonObject | undefined,
  { place, value, number }: Task,
): Promise<void> {
  const title = `${pathText(place.path)} = ${value}`;
  const created = creations(renamed(subject, `${subject.name}-${number}`), place, value);
  const some = <T>(all: readonly T[], count: number): T[] =>
    all.filter((_one, index) => (index + number) % all.length < count);
  const [first, ...others] = created;
  let isAccepted = false;
  if (first !== undefined) {
    const [theirs, ours] = await compare(part, `${first.what} ${title}`, first.asked);
    isAccepted = theirs.status === 201 && ours.status === 201;
  }
  for (const { what, asked } of some(others, 1)) await compare(part, `${what} ${title}`, asked);
  if (there !== undefined && here !== undefined) {
    const ours = writes(subject, here, place, value);
    const theirs = writes(subject, there, place, value);
    for (const [index, request] of some([...theirs.entries()], Number(flags.writes)))
      await compare(part, `${request.what} ${title}`, request.asked, ours[index]?.asked);
  }
  if (isAccepted && !seed.dryRun) await live(part, title, renamed(subject, `${subject.name}-${number}`), place, value);
}

/** Another object of the kind; addresses have no other name. */
function renamed(subject: Subject, name: string): Subject {
  const { metadata, kind } = subject.object;
  if (kind === 'IPAddress' || kind === 'APIService' || !isObject(metadata)) return subject;
  return { ...subject, name, object: { ...subject.object, metadata: { ...metadata, name } } };
}

/** An object with the value, from its creation to its end. */
async function live(part: string, title: string, subject: Subject, place: Place, value: string): Promise<void> {
  const object = withValue(subject.object, place.path, value);
  const [create] = creations(subject, place, value);
  if (create === undefined) return;
  const asked = { ...create.asked, path: subject.path };
  const [theirs, ours] = await compare(part, `life: create ${title}`, asked, asked, false);
  if (theirs.status !== 201 || ours.status !== 201) return;
  for (const request of lifeOf(subject, object) satisfies Request[])
    await compare(part, `life: ${request.what} ${title}`, request.asked, request.asked, request.asked.method === 'GET');
}

try {
  const all = seeds().filter(({ object }) => object.kind !== 'Thing' && object.kind !== 'APIService');
  const chosen =
    flags.only === '' ? all : all.filter(({ object }) => flags.only.split(',').includes(String(object.kind)));
  await Promise.all([pair.theirs, pair.ours].map(({ url }) => prepare(serverAt(url, adminToken), chosen)));
  // Controllers write status soon after; objects that are made first have it by their turn.
  for (const seed of chosen) await Promise.all([pair.theirs.url, pair.ours.url].map((url) => keep(url, seed)));
  for (const seed of chosen) await sweep(seed);
} finally {
  await pair.close();
}
process.exit(report.finish());
