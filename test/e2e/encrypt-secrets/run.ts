// Runs the commands of the README's section "Encrypt Secrets at rest" as they are written there:
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/encrypt-secrets/run.ts
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { blocksOf, serverCommandOf } from '#test/e2e/oidc-login/readme-section.ts';
import { referenceProgram } from '#test/reference.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'encrypt-secrets-'));
const dataDir = join(folder, 'data');
const [makeFile = '', start = '', writeAll = '', rotate = ''] = blocksOf('Encrypt Secrets at rest');
const flags = (serverCommandOf(start)?.flags ?? []).map((flag) =>
  flag.replace('encryption.yaml', join(folder, 'encryption.yaml')),
);

async function types(commands: string, cluster?: Cluster): Promise<string> {
  const PATH = `${dirname(referenceProgram('kubectl') ?? 'kubectl')}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, PATH, KUBECONFIG: cluster?.kubeconfig ?? '' };
  return (await run('bash', ['-ec', commands], { cwd: folder, env })).stdout;
}

/** How the stored values of all Secrets begin, and whether one can be read. */
async function stored(): Promise<string[]> {
  const storage = createStorage({ framesSocketPath: join(dataDir, 'run', 'store.sock') });
  const { items } = await storage.list('/secrets/');
  await storage.close();
  return items.map(({ value }) => Buffer.from(value).toString('latin1').slice(0, 'k8s:enc:secretbox:v1:key1:'.length));
}

async function withServer(given: readonly string[], work: (cluster: Cluster) => Promise<void>): Promise<void> {
  const cluster = await startCluster({ dataDir, flags: given, readyWithinMs: 120_000 });
  try {
    await work(cluster);
  } finally {
    await cluster.close();
  }
}

try {
  const create = (name: string): string => `kubectl create secret generic ${name} --from-literal=password=hidden`;
  await withServer([], async (cluster) => void (await types(create('a'), cluster)));
  await types(makeFile);
  await withServer(flags, async (cluster) => {
    await types(create('b'), cluster);
    assert.ok((await stored()).some((value) => !value.startsWith('k8s:enc:')));
    await types(writeAll, cluster);
    assert.deepEqual(new Set(await stored()), new Set(['k8s:enc:secretbox:v1:key1:']));
    await types(rotate, cluster);
    assert.deepEqual(new Set(await stored()), new Set(['k8s:enc:secretbox:v1:key2:']));
  });
  assert.doesNotMatch(readFileSync(join(folder, 'encryption.yaml'), 'utf8'), /key1/);
  await withServer(flags, async (cluster) =>
    assert.equal(
      await types("kubectl get secret a b -o jsonpath='{.items[*].data.password}'", cluster),
      'aGlkZGVu aGlkZGVu',
    ),
  );
  console.log('all Secrets are encrypted by the second key, and are read without the first');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
