// Compares with the reference to which FlowSchema and priority level requests belong, what the debugging pages show,
// and the families of metrics:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/flow-control/run.ts
// Needs the bundles of dist (or QUARTERDECK_DIST) and etcd.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startPair, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { adminToken } from '#test/tokens.ts';
import { familyShapes } from './family-shapes.ts';
import { objects } from './objects.ts';
import { requests, type UserRequest } from './requests.ts';

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
const pages = '/debug/api_priority_and_fairness';
const agent = new Agent({ connect: { rejectUnauthorized: false } });
const report = new Report();

interface Answer {
  readonly status: number;
  readonly schema: string;
  readonly level: string;
  readonly text: string;
}

async function ask({ url }: Side, { method = 'GET', path, as, groups = [], body }: UserRequest): Promise<Answer> {
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(url + path, {
    method,
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${adminToken}`,
      ...(as === undefined ? {} : { 'impersonate-user': as }),
      ...(groups.length === 0 ? {} : { 'impersonate-group': [...groups] }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  // A watch has an answer as soon as it has begun.
  const text = path.includes('watch=') ? '' : await answer.text();
  answer.destroy();
  return {
    status: statusCode,
    schema: String(headers['x-kubernetes-pf-flowschema-uid']),
    level: String(headers['x-kubernetes-pf-prioritylevel-uid']),
    text,
  };
}

/** Names of FlowSchemas and levels by their uids. */
async function namesOf(side: Side): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const resource of ['flowschemas', 'prioritylevelconfigurations']) {
    const { text } = await ask(side, { path: `${group}/${resource}` });
    const { items } = JSON.parse(text) as { items: { metadata: { name: string; uid: string } }[] };
    for (const { metadata } of items) names.set(metadata.uid, metadata.name);
  }
  return names;
}

/** Asks until the answer is one that is awaited: both servers take objects in some time after they were stored. */
async function untilKnown(side: Side, schema: string): Promise<void> {
  for (;;) {
    const [names, answer] = [await namesOf(side), await ask(side, { path: '/version', as: 'probe-of-suite' })];
    if (names.get(answer.schema) === schema) return;
    await pause(100);
  }
}

async function compareRequests(part: string, sides: readonly [Side, Side]): Promise<void> {
  const [ourNames, theirNames] = await Promise.all([namesOf(sides[0]), namesOf(sides[1])]);
  for (const one of requests) {
    const [ours, theirs] = await Promise.all([ask(sides[0], one), ask(sides[1], one)]);
    const said = (answer: Answer, names: Map<string, string>): string =>
      `${answer.status} ${names.get(answer.schema) ?? '-'} ${names.get(answer.level) ?? '-'}`;
    const [a, b] = [said(ours, ourNames), said(theirs, theirNames)];
    const what = `${one.method ?? 'GET'} ${one.path} as ${one.as ?? 'administrator'} ${(one.groups ?? []).join(',')}`;
    report.note(part, what, a === b ? [] : [`ours ${a}`, `theirs ${b}`]);
  }
}

const seatFamilies = ['nominal', 'lower', 'upper'].map((kind) => `apiserver_flowcontrol_${kind}_limit_seats`);

/** Lines of the families of limits. */
async function limitsOf(side: Side): Promise<string[]> {
  const { text } = await ask(side, { path: '/metrics' });
  return text
    .split('\n')
    .filter((line) => seatFamilies.some((family) => line.startsWith(`${family}{`)))
    .sort();
}

async function comparePages(part: string, sides: readonly [Side, Side]): Promise<void> {
  for (const page of [
    'dump_priority_levels',
    'dump_queues',
    'dump_requests',
    'dump_requests?includeRequestDetails=1',
  ]) {
    const [ours, theirs] = await Promise.all(sides.map((side) => ask(side, { path: `${pages}/${page}` })));
    const heads = [ours, theirs].map((answer) => `${answer?.status} ${columns(answer?.text ?? '')}`);
    report.note(part, page, heads[0] === heads[1] ? [] : heads);
    if (page !== 'dump_priority_levels') continue;
    const levels = [ours, theirs].map((answer) => rowNames(answer?.text ?? ''));
    report.note(part, `${page}: levels`, levels[0] === levels[1] ? [] : levels);
  }
}

/** Every family of the reference has the same type, labels and buckets here. */
async function compareFamilies(part: string, sides: readonly [Side, Side]): Promise<void> {
  const [ours, theirs] = await Promise.all(
    sides.map(async (side) => familyShapes((await ask(side, { path: '/metrics' })).text)),
  );
  for (const [name, shape] of theirs ?? []) {
    const own = ours?.get(name);
    report.note(part, name, own === shape ? [] : [`ours ${own}`, `theirs ${shape}`]);
  }
}

const columns = (page: string): string => (page.split('\n')[0] ?? '').split(/,\s*/).join(' ');
const rowNames = (page: string): string =>
  page
    .split('\n')
    .map((row) => row.split(',')[0])
    .join(' ');

async function compareAll(part: string, sides: readonly [Side, Side]): Promise<void> {
  await compareRequests(part, sides);
  await comparePages(part, sides);
  await compareFamilies(part, sides);
  const [ours = [], theirs = []] = await Promise.all(sides.map(limitsOf));
  report.note(part, 'limits of levels', ours.join('\n') === theirs.join('\n') ? [] : [...ours, '---', ...theirs]);
}

const pair = await startPair();
try {
  const sides = [pair.ours, pair.theirs] as const;
  await compareAll('default objects', sides);
  for (const side of sides)
    for (const { path, body } of objects) {
      const { status, text } = await ask(side, { method: 'POST', path, body });
      if (status !== 201) throw new Error(`${side.url} refuses ${path}: ${text}`);
    }
  await Promise.all(sides.map((side) => untilKnown(side, 'suite-last')));
  await compareAll('objects of the suite', sides);
} finally {
  await pair.close();
}

process.exit(report.finish());
