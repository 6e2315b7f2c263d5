import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { startHostedCluster, type HostedCluster } from '#test/integration/one-process/start-cluster.ts';
import { writeTokens } from '#test/tokens.ts';
import { askSecretTokens } from './secret-tokens.ts';

const recorded = JSON.parse(readFileSync(new URL('gen/secret-tokens.json', import.meta.url), 'utf8')) as JsonObject;

describe('tokens of secrets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secret-tokens-'));
  let cluster: HostedCluster;
  before(async () => {
    cluster = await startHostedCluster([
      '--token-auth-file',
      writeTokens(folder),
      '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    ]);
  });
  after(async () => {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('are warned of, refused and labelled with the day of their use as by kube-apiserver', async () => {
    const answers = await askSecretTokens(cluster.url, readFileSync(join(cluster.pki, 'sa.key'), 'utf8'));
    assert.deepEqual(Object.fromEntries(answers), recorded);
  });
});
