// Many writers of one object at once: how long until all have written, what it costs the servers, and how many fail. On
// the sources' bundles, on QUARTERDECK_DIST if that is set, or on the reference.
//   node --import tsx test/benchmark/contended-writes.ts [--reference] [--patches 100] [--applies 50] [--rounds 3]
// Needs `npm run build`.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { http2Client, type Answer } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import { startReference } from '#test/reference.ts';
import { cpuMs, processTree } from './processes.ts';

const { values } = parseArgs({
  options: {
    reference: { type: 'boolean', default: false },
    patches: { type: 'string', default: '100' },
    applies: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '3' },
  },
});
const secrets = '/api/v1/namespaces/default/secrets';

const reference = values.reference ? await startReference() : undefined;
const cluster = reference === undefined ? await startCluster({ bundled: true }) : undefined;
const server = reference ?? cluster;
if (server === undefined) throw new Error('no server was started');
const pids = reference?.pids ?? processTree(cluster?.launcher.pid ?? 0);
const client = http2Client(server);

/** As upstream's TestPatchConflicts: each patch takes away one owner of a hundred and adds a label. */
async function patchAtOnce(name: string): Promise<void> {
  const owners = Array.from({ length: Number(values.patches) }, (_, index) => ({
    apiVersion: 'example.com/v1',
    kind: 'Foo',
    name: `owner-${index}`,
    uid: randomUUID(),
  }));
  const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name, ownerReferences: owners } };
  await client.send('POST', secrets, { body: object });
  await atOnce('patches', owners.length, (index) =>
    client.send('PATCH', `${secrets}/${name}`, {
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
      body: {
        metadata: {
          labels: { [`label-${index}`]: randomUUID() },
          ownerReferences: [{ $patch: 'delete', uid: owners[index]?.uid }],
        },
      },
    }),
  );
}

/** Server-side apply by managers of their own, of one key each. */
async function applyAtOnce(name: string): Promise<void> {
  await atOnce('applies', Number(values.applies), (index) =>
    client.send('PATCH', `${secrets}/${name}?fieldManager=m${index}&force=true`, {
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { [`key-${index}`]: 'value' } },
    }),
  );
}

async function atOnce(what: string, count: number, send: (index: number) => Promise<Answer>): Promise<void> {
  const cpuBefore = cpuMs(pids) / 1000;
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
  const seconds = (performance.now() - begun) / 1000;
  const byStatus = new Map<number, number>();
  for (const { status } of answers) byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  const statuses = [...byStatus].map(([status, times]) => `${times} of ${status}`).join(', ');
  const cpu = cpuMs(pids) / 1000 - cpuBefore;
  console.log(`${count} ${what}: ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s of processor time; ${statuses}`);
}

try {
  for (let round = 0; round < Number(values.rounds); round++) {
    await patchAtOnce(`patched-${round}`);
    await applyAtOnce(`applied-${round}`);
  }
} finally {
  client.close();
  await server.close();
}
