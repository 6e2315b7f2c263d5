import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { EncryptionProvider, KmsConfiguration } from '#shared/encryption/contract/encryption-provider.ts';
import { KmsPlugin } from '#shared/encryption/testing/kms-plugin.ts';
import { printFamilies } from '#shared/observability/exposition/testing/print-families.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import { openKmsProvider } from './open-kms-provider.ts';
import { EnvelopeMetrics } from './plugin/envelope-metrics.ts';

const key = '/registry/secrets/default/a';
const plain = Buffer.from('a value');
const timeoutMs = 500;

let plugin: KmsPlugin;
let metrics: EnvelopeMetrics;
let nowMs = 0;
const opened: EncryptionProvider[] = [];

function configuration(): KmsConfiguration {
  return { apiVersion: 'v2', name: 'plugin', endpoint: plugin.endpoint, timeoutMs, cacheSize: 0 };
}

async function open(changes: Partial<KmsConfiguration> = {}): Promise<EncryptionProvider> {
  const provider = openKmsProvider(
    { ...configuration(), ...changes },
    { metrics, reportError: () => undefined, now: () => nowMs },
  );
  opened.push(provider);
  await provider.ready?.();
  return provider;
}

function reasonOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
}

beforeEach(async () => {
  plugin = new KmsPlugin();
  metrics = new EnvelopeMetrics('server');
  nowMs = 0;
  await plugin.open();
});

afterEach(async () => {
  for (const provider of opened.splice(0)) provider.close?.();
  await plugin.close();
});

describe('openKmsProvider', () => {
  test('reads what another server wrote, with one call for all values of a data key', async () => {
    const [writer, reader] = [await open(), await open()];
    const stored: Uint8Array[] = [];
    for (let at = 0; at < 50; at++) stored.push(await writer.transformer.toStorage(plain, key));
    const read = await Promise.all(stored.map(async (value) => await reader.transformer.fromStorage(value, key)));
    for (const { value, isStale } of read) assert.deepEqual([Buffer.from(value), isStale], [plain, false]);
    await writer.transformer.fromStorage(stored[0] as Uint8Array, key);
    assert.deepEqual(plugin.calls, { Status: 2, Encrypt: 2, Decrypt: 1 });
    assert.ok(!stored.some((value) => Buffer.from(value).includes(plain)));
  });

  test('makes a new data key when the key id changes, and calls values of the old one stale', async () => {
    const provider = await open();
    const old = await provider.transformer.toStorage(plain, key);
    plugin.keyId = '2';
    nowMs += 20_000;
    assert.equal(await provider.health?.(), undefined);
    const present = await provider.transformer.toStorage(plain, key);
    assert.equal((await provider.transformer.fromStorage(old, key)).isStale, true);
    assert.equal((await provider.transformer.fromStorage(present, key)).isStale, false);
    assert.equal(plugin.calls.Encrypt, 2);
  });

  test('refuses writes three minutes after the plugin was last there, and goes on when it is back', async () => {
    const provider = await open();
    const stored = await provider.transformer.toStorage(plain, key);
    await plugin.kill();
    nowMs += 180_000;
    assert.match(
      (await provider.health?.()) ?? '',
      /^failed to perform status section .* KMS Provider plugin, error: /,
    );
    await provider.transformer.toStorage(plain, key);
    nowMs += 1;
    assert.throws(() => provider.transformer.toStorage(plain, key), {
      message: /^encryptedDEKSource with keyID hash "sha256:6b86b2\w+" expired at \S+Z \(current time is \S+Z\)$/,
    });
    assert.equal((await provider.transformer.fromStorage(stored, key)).isStale, false);
    await plugin.open();
    nowMs += 3_000;
    assert.equal(await provider.health?.(), undefined);
    await provider.transformer.toStorage(plain, key);
    assert.equal(plugin.calls.Encrypt, 1);
  });

  test('starts without a plugin, and serves from its first answer on', async () => {
    await plugin.kill();
    const provider = await open();
    assert.throws(() => provider.transformer.toStorage(plain, key), { message: 'got unexpected nil transformer' });
    await plugin.open();
    nowMs += 3_000;
    assert.equal(await provider.health?.(), undefined);
    assert.deepEqual(
      (await provider.transformer.fromStorage(await provider.transformer.toStorage(plain, key), key)).value,
      plain,
    );
  });

  test('fails the reads of a data key alone while the plugin hangs', async () => {
    const [writer, reader] = [await open(), await open()];
    const foreign = await writer.transformer.toStorage(plain, key);
    const own = await reader.transformer.toStorage(plain, key);
    plugin.hanging = 'Decrypt';
    const reads = [1, 2, 3].map(() => reasonOf(Promise.resolve(reader.transformer.fromStorage(foreign, key))));
    assert.deepEqual((await reader.transformer.fromStorage(own, key)).value, plain);
    for (const reason of await Promise.all(reads))
      assert.equal(
        reason,
        'failed to decrypt DEK, error: rpc error: code = DeadlineExceeded desc = context deadline exceeded',
      );
    assert.equal(plugin.calls.Decrypt, 1);
    plugin.hanging = undefined;
    assert.deepEqual((await reader.transformer.fromStorage(foreign, key)).value, plain);
  });

  test('does not keep a wrong data key of a plugin that lied', async () => {
    const [writer, reader] = [await open(), await open()];
    const foreign = await writer.transformer.toStorage(plain, key);
    plugin.lies = true;
    assert.equal(
      await reasonOf(Promise.resolve(reader.transformer.fromStorage(foreign, key))),
      'cipher: message authentication failed',
    );
    plugin.lies = false;
    assert.deepEqual((await reader.transformer.fromStorage(foreign, key)).value, plain);
  });

  test('shares a check of the health among those who ask while the plugin hangs', async () => {
    const provider = await open();
    plugin.hanging = 'Status';
    nowMs += 20_000;
    const reasons = await Promise.all([provider.health?.(), provider.health?.(), provider.health?.()]);
    assert.equal(new Set(reasons).size, 1);
    assert.match(reasons[0] ?? '', /DeadlineExceeded/);
    assert.equal(plugin.calls.Status, 2);
  });

  test('counts uses of key ids and calls', async () => {
    const provider = await open();
    await provider.transformer.fromStorage(await provider.transformer.toStorage(plain, key), key);
    const registry = new MetricsRegistry();
    for (const family of metrics.families) registry.add(family);
    const text = printFamilies(registry.families());
    const hash = 'key_id_hash="sha256:6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"';
    for (const type of ['from_storage', 'to_storage'])
      assert.match(
        text,
        new RegExp(`key_id_hash_total\\{.*,${hash},provider_name="plugin",transformation_type="${type}"\\} 1\\n`),
      );
    assert.match(
      text,
      /kms_operations_latency_seconds_count\{grpc_status_code="OK",method_name="\/v2.KeyManagementService\/Status",.*\} 1\n/,
    );
    assert.match(text, /dek_source_cache_size\{provider_name="plugin"\} 1\n/);
  });

  test('refuses endpoints that are no Unix socket', async () => {
    await assert.rejects(open({ endpoint: 'http:///path' }), {
      message: `could not configure KMSv2-Plugin's probe "plugin", error: unsupported scheme "http" for remote KMS provider`,
    });
    await assert.rejects(open({ endpoint: '' }), /can't use empty string as endpoint$/);
  });
});
