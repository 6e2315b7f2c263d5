import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { http1Client } from '#test/api-client.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { auditedFlags, droppedEvents, fewEvents } from './audited-cluster.ts';
import { startHangingWebhook, type HangingWebhook } from './hanging-webhook.ts';
import { prepareObjects, writeAt } from './write-load.ts';

// A short form of run.ts, which is for a quiet machine.

const longestEndMs = 25_000;

let folder: string;
let webhook: HangingWebhook;
let cluster: Cluster | undefined;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hanging-audit-'));
  webhook = await startHangingWebhook();
  webhook.writeKubeconfig(join(folder, 'kubeconfig'));
  const policy = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n';
  writeFileSync(join(folder, 'policy.yaml'), policy);
  cluster = await startCluster({ flags: [...auditedFlags(folder), ...fewEvents] });
});
after(async () => {
  await cluster?.close();
  await webhook.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('audit webhook that hangs', () => {
  test('makes no write fail, costs only events, which are counted, and does not hold the end of the server', async () => {
    assert.ok(cluster !== undefined);
    await prepareObjects(cluster);
    const { writes, failures } = await writeAt(cluster, 200, 3000);
    assert.ok(writes >= 500);
    assert.equal(failures, 0);
    const admin = http1Client(cluster);
    assert.ok((await droppedEvents(admin)) > 0);
    admin.close();
    const endingMs = performance.now();
    await cluster.close();
    cluster = undefined;
    assert.ok(performance.now() - endingMs < longestEndMs);
  });
});
