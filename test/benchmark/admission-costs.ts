// What users' rules cost a create: kbench create without any, under ten policies, under one webhook of each kind, and
// beside fifty webhook configurations that want something else; on this server and on the reference in turn.
//   node --import tsx test/benchmark/admission-costs.ts [--rounds 5] [--seconds 2] [--only PATTERN]
// Fails where rules cost more than README.md allows. Needs `npm run build`; kbench lies in $REFERENCE_BIN.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { JsonClient } from '#test/json-client.ts';
import { adminToken } from '#test/tokens.ts';
import { figureIn, kbenchOn, ours, reference, type RunningSubject, type Subject } from './subjects.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});
const group = '/apis/admissionregistration.k8s.io/v1';
/** The reference acts on a policy when its informers and its rounds of a second have seen it. */
const settleMs = 3000;

interface WebhookProcess {
  readonly port: number;
  readonly caBundle: string;
}

interface Rules {
  readonly name: string;
  /** Most of the reference's CPU that ours may take; undefined: not judged by that. */
  readonly ofReference: number | undefined;
  /** Paths and objects, in the order of their creation. */
  objects(webhook: WebhookProcess): readonly (readonly [path: string, object: JsonObject])[];
}

const metadata = (name: string): JsonObject => ({ name });
const creates = (resource: string): JsonObject => ({
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: [resource],
});

function policy(index: number): (readonly [string, JsonObject])[] {
  const name = `costs-${index}.example.com`;
  return [
    [
      'validatingadmissionpolicies',
      {
        metadata: metadata(name),
        spec: {
          matchConstraints: { resourceRules: [creates('configmaps')] },
          variables: [{ name: 'size', expression: 'has(object.data) ? object.data.size() : 0' }],
          validations: [
            { expression: `variables.size < ${100 + index}` },
            { expression: "!has(object.metadata.labels) || !('forbidden' in object.metadata.labels)" },
          ],
        },
      },
    ],
    [
      'validatingadmissionpolicybindings',
      { metadata: metadata(name), spec: { policyName: name, validationActions: ['Deny'] } },
    ],
  ];
}

function webhook(path: string, { port, caBundle }: WebhookProcess, rules: readonly JsonObject[]): JsonObject {
  return {
    name: 'costs.example.com',
    clientConfig: { url: `https://127.0.0.1:${port}/${path}`, caBundle },
    rules: [...rules],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}

const kinds: readonly Rules[] = [
  { name: 'no rules', ofReference: undefined, objects: () => [] },
  {
    name: '10 policies',
    ofReference: 0.2,
    objects: () => Array.from({ length: 10 }, (_, index) => policy(index)).flat(),
  },
  {
    name: 'a validating webhook',
    ofReference: 0.5,
    objects: (process) => [
      [
        'validatingwebhookconfigurations',
        { metadata: metadata('costs'), webhooks: [webhook('validate', process, [creates('configmaps')])] },
      ],
    ],
  },
  {
    name: 'a mutating webhook',
    ofReference: 0.5,
    objects: (process) => [
      [
        'mutatingwebhookconfigurations',
        { metadata: metadata('costs'), webhooks: [webhook('mutate', process, [creates('configmaps')])] },
      ],
    ],
  },
  {
    name: '50 configurations of 10 rules',
    ofReference: undefined,
    objects: (process) =>
      Array.from({ length: 50 }, (_, index) => [
        'validatingwebhookconfigurations',
        {
          metadata: metadata(`costs-${index}`),
          webhooks: [
            webhook(
              'validate',
              process,
              Array.from({ length: 10 }, (_, rule) => creates(`others${index}x${rule}`)),
            ),
          ],
        },
      ]),
  },
];

function middle(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

type Objects = ReturnType<Rules['objects']>;

async function put(server: RunningSubject, objects: Objects): Promise<void> {
  const client = new JsonClient(server.url, adminToken);
  for (const [path, object] of objects) {
    const { status, body } = await client.call('POST', `${group}/${path}`, object);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
  }
  if (objects.length > 0) await sleep(settleMs);
}

async function remove(server: RunningSubject, objects: Objects): Promise<void> {
  const client = new JsonClient(server.url, adminToken);
  for (const path of new Set(objects.map(([path]) => path))) await client.call('DELETE', `${group}/${path}`);
  if (objects.length > 0) await sleep(settleMs);
}

interface Measured {
  readonly name: string;
  readonly subject: Subject;
  readonly server: RunningSubject;
}

async function open(name: string, subject: Subject): Promise<Measured> {
  return { name, subject, server: await subject.start() };
}

/** Rounds on all servers in turn, so that other work of the machine slows all of them. */
async function compare(subjects: readonly Measured[], rules: Rules, webhooks: WebhookProcess): Promise<void> {
  const figures = subjects.map((): number[] => []);
  for (const { server } of subjects) await put(server, rules.objects(webhooks));
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [index, { server }] of subjects.entries()) {
      const cpu = figureIn(await kbenchOn(server, ['-run', 'create', '-d', `${values.seconds}s`]), 'CPU');
      // The first round warms up.
      if (round > 0) figures[index]?.push(cpu);
    }
  }
  for (const { server } of subjects) await remove(server, rules.objects(webhooks));
  tell(
    rules,
    subjects.map(({ name }) => name),
    figures,
  );
}

function tell(
  { name, ofReference }: Rules,
  subjects: readonly string[],
  figures: readonly (readonly number[])[],
): void {
  const told = figures.map((seen, index) => `${subjects[index]} ${middle(seen)} us (best ${Math.min(...seen)})`);
  const [us = [], them] = figures;
  const ratio = them === undefined ? 0 : middle(us) / middle(them);
  console.log(`${name}: ${told.join(', ')}${ratio === 0 ? '' : `; ratio ${ratio.toFixed(2)}`}`);
  if (ofReference === undefined || ratio <= ofReference) return;
  console.log(`  allowed is ${ofReference}`);
  process.exitCode = 1;
}

const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'allowing-webhook.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const webhookProcess = JSON.parse(line) as WebhookProcess;
  const subjects: Measured[] = [];
  try {
    subjects.push(await open('ours', ours()));
    subjects.push(await open('reference', await reference()));
    for (const rules of kinds.filter(({ name }) => new RegExp(values.only).test(name)))
      await compare(subjects, rules, webhookProcess);
  } finally {
    for (const { server, subject } of subjects) {
      await server.stop();
      await subject.end();
    }
  }
} finally {
  child.kill();
}
