// Compares this server with the reference by random definitions with validation rules, and by objects that keep and
// break them, new and changed, under the rules that they were made by and under others:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/random-rules/run.ts [--minutes 20 | --rounds 5] [--seed 1] [--report FILE]
// Each kind of difference is printed once. Needs the bundles of dist.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import { sendJson as send, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { startPair } from '#test/compare/pair.ts';
import { randomRule, withRules, type PlacedRule } from './random-rules.ts';
import { randomObject, type Typed } from './random-schema.ts';
import { changedValue, randomValue } from './random-values.ts';
import { Random } from './random.ts';

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rounds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    report: { type: 'string' },
  },
});
const lanes = 3;
/** How often a request is sent again whose answers differ: the reference walks maps in random order. */
const asked = 12;
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

interface Answers {
  readonly reference: Exchange;
  readonly ours: Exchange;
}

const pair = await startPair();
const [reference, ours] = [pair.theirs.server, pair.ours.server];
const seen = new Map<string, number>();
let [definitions, accepted, objects, refused, answers] = [0, 0, 0, 0, 0];

function say(line: string): void {
  console.log(line);
  if (flags.report !== undefined) appendFileSync(flags.report, `${line}\n`);
}

/** Sends a request to both; `of` may make the body of the object that the server has. */
async function both(
  method: string,
  path: string,
  body?: JsonValue | ((server: Server) => JsonValue),
): Promise<Answers> {
  const of = (server: Server): Promise<Exchange> =>
    send(server, method, path, typeof body === 'function' ? body(server) : body);
  const [first, second] = await Promise.all([of(reference), of(ours)]);
  return { reference: first, ours: second };
}

/** Tries a write on both without making it, and compares what they say. */
async function compare(
  method: string,
  path: string,
  body: JsonValue | ((server: Server) => JsonValue),
  about: () => string,
): Promise<Answers> {
  const dry = `${path}${path.includes('?') ? '&' : '?'}dryRun=All`;
  const referenceAnswers: JsonObject[] = [];
  let last = await both(method, dry, body);
  answers++;
  for (let times = 0; times < asked; times++) {
    // The reference panicked: nothing to compare with.
    if (last.reference.status === 0) return last;
    referenceAnswers.push(normalForm(last.reference, false));
    if (differencesFromAll(referenceAnswers, normalForm(last.ours, false)).length === 0) return last;
    last = await both(method, dry, body);
  }
  const lines = differencesFromAll(referenceAnswers, normalForm(last.ours, false));
  const kind = `${method} ${(lines[0] ?? '').replaceAll(/\[\d+\]|"[^"]*"|\d+/g, '#').slice(0, 100)}`;
  const count = (seen.get(kind) ?? 0) + 1;
  seen.set(kind, count);
  if (count <= 3) {
    say(`\n### ${method} ${dry}\n${about()}`);
    for (const line of lines.slice(0, 8)) say(`    ${line.slice(0, 900)}`);
  }
  return last;
}

const isGood = ({ reference: one, ours: other }: Answers): boolean => one.status < 300 && other.status < 300;

function definitionOf(group: string, { schema }: Typed, rules: readonly PlacedRule[]): JsonObject {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: withRules(schema, rules),
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `rulings.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'rulings', singular: 'ruling', kind: 'Ruling', listKind: 'RulingList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } },
      ],
    },
  };
}

/** Rules that both take, each tried alone. */
async function goodRules(random: Random, group: string, typed: Typed, wanted: number): Promise<PlacedRule[]> {
  const good: PlacedRule[] = [];
  for (let tried = 0; tried < wanted * 2 && good.length < wanted; tried++) {
    const rule = randomRule(random, typed);
    definitions++;
    const body = definitionOf(group, typed, [rule]);
    if (isGood(await compare('POST', definitionsPath, body, () => JSON.stringify([rule, typed.schema]))))
      good.push(rule);
  }
  accepted += good.length;
  return good;
}

/** Until both serve the kind. */
async function served(path: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    const got = await both('GET', path);
    if (isGood(got)) return true;
    await sleep(50);
  }
  return false;
}

async function playRound(round: number): Promise<void> {
  const random = new Random(Number(flags.seed) * 100_003 + round * 7919 + 1);
  for (let warm = 0; warm < 5; warm++) random.below(2);
  const group = `r${round}.rules.example.com`;
  const typed = randomObject(random, 3);
  const [rules, others] = [await goodRules(random, group, typed, 4), await goodRules(random, group, typed, 3)];
  const path = `/apis/${group}/v1/namespaces/default/rulings`;
  const made = await both('POST', definitionsPath, definitionOf(group, typed, rules));
  if (isGood(made) && (await served(path))) {
    const about =
      (list: readonly PlacedRule[]) =>
      (spec: JsonValue): string =>
        JSON.stringify({ spec, rules: list, schema: typed.schema });
    const kept = await playObjects(random, path, group, typed, about(rules));
    const changed = await both('PATCH', `${definitionsPath}/rulings.${group}`, {
      spec: { versions: (definitionOf(group, typed, others)['spec'] as JsonObject)['versions'] as JsonValue },
    });
    await sleep(400);
    if (isGood(changed))
      for (const { name, spec } of kept) await playChanges(random, `${path}/${name}`, typed, spec, about(others), 3);
  }
  await both('DELETE', `${definitionsPath}/rulings.${group}`);
}

interface Kept {
  readonly name: string;
  readonly spec: JsonValue;
}

async function playObjects(
  random: Random,
  path: string,
  group: string,
  typed: Typed,
  about: (spec: JsonValue) => string,
): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (let count = 0; count < 10; count++) {
    const spec = randomValue(random, typed.shape);
    const name = `o${count}`;
    const body = { apiVersion: `${group}/v1`, kind: 'Ruling', metadata: { name }, spec };
    const tried = await compare('POST', path, body, () => about(spec));
    objects++;
    if (!isGood(tried)) {
      refused++;
      continue;
    }
    if (isGood(await both('POST', path, body)))
      kept.push({ name, spec: await playChanges(random, `${path}/${name}`, typed, spec, about, 3) });
  }
  return kept;
}

/** Changes an object by updates and patches, and answers what it holds at the end. */
async function playChanges(
  random: Random,
  path: string,
  typed: Typed,
  from: JsonValue,
  about: (spec: JsonValue) => string,
  times: number,
): Promise<JsonValue> {
  let spec = from;
  for (let time = 0; time < times; time++) {
    const next = changedValue(random, typed.shape, spec);
    const now = await both('GET', path);
    if (!isGood(now)) return spec;
    const held = new Map([
      [reference, now.reference.body as JsonObject],
      [ours, now.ours.body as JsonObject],
    ]);
    const merges = random.oneOf(2);
    const body = (server: Server): JsonValue => (merges ? { spec: next } : { ...held.get(server), spec: next });
    const said = (): string => `${JSON.stringify(spec)} becomes ${about(next)}`;
    const tried = await compare(merges ? 'PATCH' : 'PUT', path, body, said);
    objects++;
    if (!isGood(tried)) refused++;
    else if (isGood(await both(merges ? 'PATCH' : 'PUT', path, body)))
      spec = ((await send(reference, 'GET', path)).body as JsonObject)['spec'] ?? null;
  }
  return spec;
}

const end = flags.rounds === undefined ? Date.now() + Number(flags.minutes) * 60_000 : Number.POSITIVE_INFINITY;
const last = flags.rounds === undefined ? Number.POSITIVE_INFINITY : Number(flags.rounds);
let next = 0;
await Promise.all(
  Array.from({ length: lanes }, async () => {
    while (Date.now() < end && next < last) await playRound(next++);
  }),
);
say(
  `\n${next} rounds: ${definitions} definitions, ${accepted} of them accepted; ${objects} writes of objects, ${refused} of them refused; ${answers} answers compared, ${seen.size} kinds of differences`,
);
for (const [kind, count] of seen) say(`  ${count} × ${kind}`);
await pair.close();
process.exitCode = seen.size > 0 ? 1 : 0;
process.exit();
