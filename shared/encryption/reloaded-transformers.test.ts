import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { createLogger } from '#shared/observability/logger.ts';
import { openEncryption } from './open-encryption.ts';

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
    assert.match(lines[0] ?? '', /the configuration stays as it was.*Object 'Kind' is missing/);
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
});
