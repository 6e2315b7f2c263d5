// Texts in errors: every string of every built-in kind with characters that Go quotes (plain strings) otherwise than
// its JSON does (strings of named types, and pointers), on this server and on the reference:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/validation-sweep/run-texts.ts [--only Pod] [--share 1]
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/validation-sweep/run-texts.ts --record
// Asked is one text of so many (`--share`, 1: all), those that `--turn` says. --record writes what the reference alone
// answers into testdata/error-texts.json.gz, which `npm test` plays: each error once, whatever kind it is of. With
// --reference URL and --ours URL servers that run already are used. Needs the bundles of dist.
import { parseArgs } from 'node:util';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import type { Exchange, Sent, Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { serversAt, startTheirs } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { prepare } from '#test/conformance/differential/prepare.ts';
import { seeds, type Seed } from '#test/conformance/differential/seeds.ts';
import { everyGate } from '#test/conformance/gates/flag-sets.ts';
import { pathText, withValue } from '#test/conformance/number-edges/places.ts';
import { adminToken } from '#test/tokens.ts';
import { causesOf, seedName, textCases, writeRecordedTexts, type RecordedText, type TextCase } from './odd-texts.ts';

const { values: flags } = parseArgs({
  options: {
    reference: { type: 'string' },
    ours: { type: 'string' },
    only: { type: 'string', default: '' },
    share: { type: 'string', default: '1' },
    turn: { type: 'string', default: '0' },
    record: { type: 'boolean', default: false },
  },
});
const headers = { 'content-type': 'application/json', accept: 'application/json' };
const parallel = 6;
/** Where the reference walks a map its answers to one question differ: ours must be one of so many. */
const mostAnswers = 6;

const all = seeds().filter(({ object }) => object.kind !== 'Thing' && object.kind !== 'APIService');
const chosen =
  flags.only === '' ? all : all.filter(({ object }) => flags.only.split(',').includes(String(object.kind)));

/** Creates the valid objects. Controllers write status soon after, so that the first have it by their turn. */
async function prepareAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => prepare(server, chosen)));
  for (const seed of chosen) await Promise.all(servers.map((server) => keep(server, seed)));
}

/** The valid object as a server has it. */
async function keep(server: Server, seed: Seed): Promise<JsonObject | undefined> {
  await server.send({ method: 'POST', path: seed.path, headers, body: JSON.stringify(seed.object) });
  return settled(await server.send({ method: 'GET', path: itemPath(seed), headers, body: undefined }));
}

function itemPath({ path, object }: Seed): string {
  return `${path}/${String(object.metadata.name)}`;
}

function settled({ status, body }: Exchange): JsonObject | undefined {
  if (status !== 200 || !isObject(body) || !isObject(body['metadata'])) return undefined;
  const { managedFields: _managedFields, ...metadata } = body['metadata'];
  return { ...body, metadata };
}

function dryRun(method: string, path: string, object: JsonObject): Sent {
  return { method, path: `${path}?dryRun=All&fieldManager=texts`, headers, body: JSON.stringify(object) };
}

function creation(seed: Seed, { path, text }: TextCase): Sent {
  return dryRun('POST', seed.path, withValue(seed.object, path, text));
}

function update(seed: Seed, kept: JsonObject, { path, text }: TextCase): Sent {
  return dryRun('PUT', `${itemPath(seed)}${path[0] === 'status' ? '/status' : ''}`, withValue(kept, path, text));
}

async function inParallel<T>(items: readonly T[], play: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await play(item);
    }),
  );
}

async function compareAll(): Promise<number> {
  const report = new Report();
  const pair = await serversAt(flags, adminToken, { flags: everyGate });
  const { theirs, ours } = pair;
  const compare = async (part: string, what: string, toTheirs: Sent, toOurs: Sent): Promise<void> => {
    const [wanted, have] = await Promise.all([theirs.send(toTheirs), ours.send(toOurs)]);
    // The reference panicked.
    if (wanted.status === 0) return;
    const answers = [normalForm(wanted, true)];
    const form = normalForm(have, true);
    let lines = differencesFromAll(answers, form);
    while (lines.length > 0 && answers.length < mostAnswers) {
      answers.push(normalForm(await theirs.send(toTheirs), true));
      lines = differencesFromAll(answers, form);
    }
    report.note(part, what, lines);
  };
  try {
    await prepareAll([theirs, ours]);
    for (const seed of chosen) {
      const part = `${seed.object.apiVersion} ${String(seed.object.kind)}`;
      const [there, here] = await Promise.all([theirs, ours].map((server) => keep(server, seed)));
      const cases = textCases(seed).filter((_one, at) => at % Number(flags.share) === Number(flags.turn));
      await inParallel(cases, async (one) => {
        const title = `${pathText(one.path)} = ${JSON.stringify(one.text)}`;
        await compare(part, `create ${title}`, creation(seed, one), creation(seed, one));
        if (there === undefined || here === undefined) return;
        await compare(part, `update ${title}`, update(seed, there, one), update(seed, here, one));
      });
    }
  } finally {
    await pair.close();
  }
  return report.finish();
}

/** Admission and allocation change their objects before they are validated; templates have the fields of pods, too. */
const unrecorded = new Set(['Pod', 'Service', 'Event']);

/** Records each error once: the same field of the same type stands in many kinds. */
async function record(): Promise<void> {
  const { server, close } = await startTheirs();
  const recorded = new Map<string, RecordedText>();
  try {
    await prepareAll([server]);
    for (const seed of chosen.filter(({ object }) => !unrecorded.has(String(object.kind)))) {
      const kept = await keep(server, seed);
      for (const one of textCases(seed)) {
        const sent = [
          creation(seed, one),
          ...(kept === undefined || one.path[0] === 'status' ? [] : [update(seed, kept, one)]),
        ];
        for (const [at, request] of sent.entries()) {
          const { status, body } = await server.send(request);
          const causes = status === 422 ? causesOf(body) : [];
          const key = [
            pathText(one.path).split('.').slice(-2).join('.'),
            ...causes.map((cause) => cause.replace(/^[^:]*/, '')),
          ].join('\n');
          if (causes.length > 0 && !recorded.has(key))
            recorded.set(key, { seed: seedName(seed), ...one, isUpdate: at === 1, causes });
        }
      }
    }
  } finally {
    await close();
  }
  writeRecordedTexts([...recorded.values()]);
  console.log(`${recorded.size} answers recorded`);
}

if (flags.record) await record();
process.exit(flags.record ? 0 : await compareAll());
