import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseServerOptions } from '#shared/server/options/server-options.ts';
import { readComposeFile } from '#test/replicas/compose/compose-file.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'compose.yaml'), 'utf8');

test('compose.yaml is what the specification and our own rules want, and its commands are understood', () => {
  const services = readComposeFile(text, {});
  assert.deepEqual(
    services.map(({ name }) => name),
    ['keys', 'gateway', 'core', 'extensions', 'etcd-1', 'etcd-2', 'etcd-3'],
  );
  for (const { name, entrypoint, command, healthcheck } of services) {
    if (entrypoint.length > 0) continue;
    assert.equal(command[0], name);
    assert.deepEqual(parseServerOptions(command.slice(1)).errors, [], name);
    if (healthcheck !== undefined)
      assert.deepEqual(parseServerOptions(healthcheck.slice(3)).errors, [], `health check of ${name}`);
  }
});

test('a service without limits, as root or on an unknown volume is found', () => {
  const broken = text
    .replace('user: "10001:10001"', 'user: "0:0"')
    .replaceAll('limits:', 'limit:')
    .replace('data:/data:ro', 'nothing:/data:ro');
  assert.throws(() => readComposeFile(broken, {}), /runs as root[^]*no limits|no limits[^]*runs as root/);
  assert.throws(() => readComposeFile(broken, {}), /volume nothing:\/data:ro/);
});
