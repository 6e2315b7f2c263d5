// Many rules: 500 definitions with 50 validation rules each, and the same without rules, on this server.
//   node --import tsx test/benchmark/many-rules.ts [--count 500] [--rules 50] [--restarts 5]
// Says how fast they are made, how soon all is ready again after a restart (the median of several, with and without in
// turn), and how long the first object of each takes. Fails when a target is missed. Needs `npm run build`.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { JsonClient } from '#test/json-client.ts';
import { adminToken } from '#test/tokens.ts';
import { cpuMs, memoryMiB } from './processes.ts';
import { ours, type Subject } from './subjects.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    rules: { type: 'string', default: '50' },
    restarts: { type: 'string', default: '5' },
  },
});
const count = Number(values.count);
const parallel = 4;
const group = 'ruled.example.com';
const targets = { perSecond: 10, restart: 1.2, firstUseMs: 100 };

/** Rules of the kinds that operators have: bounds, patterns, lists, what may not change. */
function rulesOf(index: number, rules: number): JsonObject[] {
  const kinds = (at: number): JsonObject =>
    [
      { rule: `!has(self.a${at}) || self.a${at} <= ${100 + index}`, message: 'too large' },
      { rule: `!has(self.t${at}) || self.t${at}.matches('^[a-z]{1,${10 + (index % 50)}}$')` },
      { rule: `!has(self.l${at}) || self.l${at}.all(x, x.size() < ${10 + index})` },
      {
        rule: `!has(self.a${at}) || !has(self.t${at}) || self.a${at} > 0 && self.t${at} != '${index}'`,
        messageExpression: `'must be above 0, and no ' + self.t${at}`,
      },
      { rule: `self.kept${at} == oldSelf.kept${at}`, message: 'immutable' },
    ][at % 5] ?? {};
  return Array.from({ length: rules }, (_, at) => kinds(at));
}

function definition(index: number, rules: number): JsonObject {
  const properties: JsonObject = {};
  for (let at = 0; at < 50; at++) {
    properties[`a${at}`] = { type: 'integer' };
    properties[`t${at}`] = { type: 'string', maxLength: 63 };
    properties[`l${at}`] = { type: 'array', maxItems: 16, items: { type: 'string', maxLength: 63 } };
    properties[`kept${at}`] = { type: 'string', maxLength: 63, default: 'x' };
  }
  const spec: JsonObject = {
    type: 'object',
    properties,
    ...(rules > 0 ? { 'x-kubernetes-validations': rulesOf(index, rules) } : {}),
  };
  const [plural, kind] = [`things${index}`, `Thing${index}`];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

const pathOf = (index: number): string => `/apis/${group}/v1/namespaces/default/things${index}`;

async function expect(client: JsonClient, status: number, ...call: Parameters<JsonClient['call']>): Promise<void> {
  const answer = await client.call(...call);
  if (answer.status !== status)
    throw new Error(`${call[0]} ${call[1]}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
}

async function until(client: JsonClient, path: string): Promise<void> {
  while ((await client.call('GET', path)).status !== 200) await sleep(20);
}

async function inParallel(workers: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

/** 500 definitions on a server of their own, which was stopped again. */
interface Made {
  readonly subject: Subject;
  readonly perSecond: number;
}

async function make(subject: Subject, rules: number): Promise<Made> {
  const server = await subject.start();
  const client = new JsonClient(server.url, adminToken);
  const started = performance.now();
  await inParallel(parallel, (index) =>
    expect(client, 201, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(index, rules)),
  );
  await inParallel(parallel, (index) => until(client, pathOf(index)));
  const perSecond = (count * 1000) / (performance.now() - started);
  await server.stop();
  return { subject, perSecond };
}

interface Restart {
  readonly readyMs: number;
  readonly cpuMs: number;
}

async function restart({ subject }: Made): Promise<Restart> {
  const server = await subject.start();
  const taken = { readyMs: server.readyMs, cpuMs: cpuMs(Object.values(server.pids)) };
  await server.stop();
  return taken;
}

interface FirstUse {
  readonly p50Ms: number;
  readonly longestMs: number;
  /** Of extensions. */
  readonly usedMiB: number;
}

async function firstUse({ subject }: Made): Promise<FirstUse> {
  const server = await subject.start();
  const client = new JsonClient(server.url, adminToken);
  await until(client, pathOf(count - 1));
  const taken: number[] = [];
  await inParallel(1, async (index) => {
    const begun = performance.now();
    await expect(client, 201, 'POST', pathOf(index), {
      apiVersion: `${group}/v1`,
      kind: `Thing${index}`,
      metadata: { name: 'first' },
      spec: { a1: 1, a3: 5, t3: 'abc', t1: 'abc', l2: ['a', 'b'] },
    });
    taken.push(performance.now() - begun);
  });
  const usedMiB = memoryMiB([server.pids['extensions'] ?? 0]);
  await server.stop();
  return { p50Ms: middle(taken), longestMs: Math.max(...taken), usedMiB };
}

function middle(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

const middles = (restarts: readonly Restart[]): Restart => ({
  readyMs: middle(restarts.map(({ readyMs }) => readyMs)),
  cpuMs: middle(restarts.map(({ cpuMs: each }) => each)),
});

function tell(name: string, { perSecond }: Made, ready: Restart, { p50Ms, longestMs, usedMiB }: FirstUse): void {
  console.log(
    `${name}: made ${perSecond.toFixed(0)}/s; restart ${ready.readyMs.toFixed(0)} ms, CPU ${ready.cpuMs.toFixed(0)} ms; first object median ${p50Ms.toFixed(1)}, longest ${longestMs.toFixed(0)} ms; extensions ${usedMiB.toFixed(0)} MiB`,
  );
}

const subjects = [ours(), ours()] as const;
try {
  const without = await make(subjects[0], 0);
  const ruled = await make(subjects[1], Number(values.rules));
  // In turn: a single start says little.
  const restarts: (readonly [without: Restart, ruled: Restart])[] = [];
  for (let round = 0; round < Number(values.restarts); round++)
    restarts.push([await restart(without), await restart(ruled)]);
  const [plain, withRules] = [middles(restarts.map(([each]) => each)), middles(restarts.map(([, each]) => each))];
  tell(`${count} definitions without rules`, without, plain, await firstUse(without));
  const used = await firstUse(ruled);
  tell(`${count} definitions with ${values.rules} rules each`, ruled, withRules, used);
  const ratio = withRules.readyMs / plain.readyMs;
  console.log(
    `ready again within ${ratio.toFixed(2)} of the time without rules (CPU ${(withRules.cpuMs / plain.cpuMs).toFixed(2)})`,
  );
  if (ruled.perSecond < targets.perSecond || ratio > targets.restart || used.longestMs > targets.firstUseMs) {
    console.log(
      `MISSED: at least ${targets.perSecond} a second, ${targets.restart} of the restart, ${targets.firstUseMs} ms for the first object`,
    );
    process.exitCode = 1;
  }
} finally {
  for (const subject of subjects) await subject.end();
}
