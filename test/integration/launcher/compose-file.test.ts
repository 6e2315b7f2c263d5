import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { readComposeFile } from '#test/replicas/compose/compose-file.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'compose.yaml'), 'utf8');

const servers = ['keys', 'gateway', 'core', 'extensions'];

describe('compose.yaml', () => {
  test('meets the specification and our rules, with flags that every server accepts', () => {
    const services = readComposeFile(text, {});
    assert.deepEqual(
      services.map(({ name }) => name),
      [...servers, 'etcd-1', 'etcd-2', 'etcd-3', 'monitoring-keys', 'prometheus', 'grafana'],
    );
    for (const { name, entrypoint, command, healthcheck } of services) {
      if (!servers.includes(name)) continue;
      assert.equal(entrypoint.length, 0);
      assert.equal(command[0], name);
      assert.deepEqual(parseServerOptions(command.slice(1)).errors, [], name);
      if (healthcheck !== undefined)
        assert.deepEqual(parseServerOptions(healthcheck.slice(3)).errors, [], `health check of ${name}`);
    }
  });
});

describe('readComposeFile', () => {
  test('throws for a service that runs as root, has no limits or mounts an unknown volume', () => {
    const broken = text
      .replace('user: "10001:10001"', 'user: "0:0"')
      .replaceAll('limits:', 'limit:')
      .replace('data:/data:ro', 'nothing:/data:ro');
    assert.throws(() => readComposeFile(broken, {}), /runs as root[^]*no limits|no limits[^]*runs as root/);
    assert.throws(() => readComposeFile(broken, {}), /volume nothing:\/data:ro/);
  });
});
