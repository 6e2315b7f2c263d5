import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { createLogger } from '#shared/observability/logger.ts';
import { loadEncryption } from './configuration/load-encryption.ts';
import { openEncryption } from './open-encryption.ts';
import { TransformationMetrics } from './providers/transformation-metrics.ts';
import { ReloadedTransformers } from './reloaded-transformers.ts';
import { ResourceTransformers } from './resource-transformers.ts';

const secrets = { group: '', resource: 'secrets' };
const at = '/registry/secrets/default/a';

function file(...names: readonly string[]): string {
  const keys = names.map((name) => `{name: ${name}, secret: ${Buffer.alloc(32, name).toString('base64')}}`);
  return `kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v1
resources:
- resources: [secrets]
  providers: [{aesgcm: {keys: [${keys.join(', ')}]}}]
`;
}

describe('openEncryption', () => {
  test('takes a changed file up, and keeps what it has where the file is wrong', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'encryption-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'encryption.yaml');
    await writeFile(path, file('a'));
    const lines: string[] = [];
    const logged = Promise.withResolvers<void>();
    const logger = createLogger({
      level: 0,
      format: 'text',
      write(line) {
        lines.push(line);
        logged.resolve();
      },
    });
    const encryption = await openEncryption({ path, isReloaded: true, allowsKmsV1: false, serverId: 'a', logger });
    t.after(() => encryption.close());
    const prefix = async (): Promise<string> => {
      const stored = await encryption.transformerOf(secrets).toStorage(Buffer.from('plain'), at);
      return Buffer.from(stored).toString('latin1', 0, 'k8s:enc:aesgcm:v1:a:'.length);
    };
    const old = await encryption.transformerOf(secrets).toStorage(Buffer.from('plain'), at);
    assert.equal(await prefix(), 'k8s:enc:aesgcm:v1:a:');
    await writeFile(path, 'resources: []\n');
    await logged.promise;
    assert.match(lines[0] ?? '', /the configuration stays as it was[^]*Object 'Kind' is missing/);
    assert.equal(await prefix(), 'k8s:enc:aesgcm:v1:a:');
    await writeFile(path, file('b', 'a'));
    while ((await prefix()) !== 'k8s:enc:aesgcm:v1:b:') await new Promise((resolve) => setTimeout(resolve, 20));
    const { value, isStale } = await encryption.transformerOf(secrets).fromStorage(old, at);
    assert.deepEqual([Buffer.from(value).toString(), isStale], ['plain', true]);
    const counted = encryption.metrics().flatMap((family) => sampleLines(family));
    for (const status of ['success', 'failure'])
      assert.ok(
        counted.some(
          (line) =>
            line.startsWith(`apiserver_encryption_config_controller_automatic_reloads_total{`) &&
            line.includes(`status="${status}"`) &&
            line.endsWith(' 1'),
        ),
        status,
      );
  });

  test('counts the reloads that take keys of a resource away, those since a count began', async () => {
    const transformers = new ReloadedTransformers(
      (bytes) => {
        const configuration = loadEncryption(bytes, { path: 'FILE', isReloaded: true, allowsKmsV1: false });
        return new ResourceTransformers(configuration, new TransformationMetrics(), () =>
          assert.fail('there is no KMS'),
        );
      },
      Buffer.from(file('a')),
    );
    const counts = [transformers.countLosses(secrets), transformers.countLosses({ group: 'apps', resource: 'pods' })];
    const counted: number[][] = [];
    for (const keys of [['b', 'a'], ['b'], ['b'], ['c']]) {
      await transformers.replace(Buffer.from(file(...keys)));
      counted.push(counts.map((count) => count()));
    }
    assert.deepEqual(counted, [
      [0, 0],
      [1, 0],
      [1, 0],
      [2, 0],
    ]);
    // What was taken away and given back between two looks is no loss.
    for (const keys of [['d'], ['d', 'c']]) await transformers.replace(Buffer.from(file(...keys)));
    assert.deepEqual([counts[0]?.(), transformers.countLosses(secrets)()], [2, 0]);
    transformers.close();
  });
});
