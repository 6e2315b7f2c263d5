// Compares how many objects of each resource /metrics counts, with the reference. Events, which have no filled cache,
// and a custom resource that comes and goes are among them:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/object-counts/run.ts
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { setTimeout as sleep } from 'node:timers/promises';
import { http1Client, type ApiClient } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import { Report } from '#test/compare/report.ts';
import { startReference } from '#test/reference.ts';

type Subject = Parameters<typeof http1Client>[0];

/** Written about as often as storage is asked; the default is a minute. */
const flags = ['--etcd-count-metric-poll-period=1s'];
const settleMs = 4_000;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/example.com/v1/namespaces/default/things';
const definition = {
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const typed = { apiVersion: 'example.com/v1', kind: 'Thing' };
const steps: readonly (readonly [name: string, play: (client: ApiClient) => Promise<void>])[] = [
  ['after the start', async () => undefined],
  [
    'with objects',
    async (client) => {
      for (const name of ['a', 'b', 'c']) {
        await written(client, '/api/v1/namespaces/default/configmaps', { metadata: { name } });
        await written(client, '/api/v1/namespaces/default/events', {
          metadata: { name },
          involvedObject: { namespace: 'default' },
        });
      }
    },
  ],
  [
    'with custom resources',
    async (client) => {
      await written(client, definitions, definition);
      await sleep(settleMs);
      for (const name of ['a', 'b']) await written(client, things, { ...typed, metadata: { name } });
    },
  ],
  ['without the definition', async (client) => void (await client.send('DELETE', `${definitions}/things.example.com`))],
];

async function written(client: ApiClient, path: string, body: object): Promise<void> {
  const { status, text } = await client.send('POST', path, { body });
  if (status !== 201) throw new Error(`POST ${path} was answered with ${status}: ${text}`);
}

/** The counts of each step, by name and labels. */
async function seenBy(server: Subject): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const client = http1Client(server);
  const seen = new Map<string, ReadonlyMap<string, string>>();
  try {
    for (const [name, play] of steps) {
      await play(client);
      await sleep(settleMs);
      const { text } = await client.send('GET', '/metrics');
      const lines = text.split('\n').filter((line) => /^apiserver_(?:storage|resource)_objects\{/.test(line));
      seen.set(name, new Map(lines.map((line) => line.split(' ') as [string, string])));
    }
  } finally {
    client.close();
  }
  return seen;
}

async function seenAndClosed(
  server: Parameters<typeof seenBy>[0] & { close(): Promise<void> },
): ReturnType<typeof seenBy> {
  try {
    return await seenBy(server);
  } finally {
    await server.close();
  }
}

const reference = await startReference({ flags });
const want = await seenAndClosed(reference);
const cluster = await startCluster({ bundled: true, flags });
const have = await seenAndClosed(cluster);

const report = new Report();
for (const [step, counts] of want) {
  const here = have.get(step) ?? new Map<string, string>();
  for (const name of new Set([...counts.keys(), ...here.keys()]))
    report.equal(step, name, counts.get(name) ?? 'absent', here.get(name) ?? 'absent');
}
process.exitCode = report.finish();
