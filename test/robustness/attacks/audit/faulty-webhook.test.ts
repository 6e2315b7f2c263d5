import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startAnyCluster } from '#test/any-cluster.ts';
import { http1Client } from '#test/api-client.ts';
import { auditedFlags, droppedEvents, fewEvents } from './audited-cluster.ts';
import { startHangingWebhook, type FaultyWebhook } from './hanging-webhook.ts';
import { startSlowWebhook } from './slow-webhook.ts';
import { prepareObjects, writeAt } from './write-load.ts';

// A short form of run.ts, which is for a quiet machine.

const longestEndMs = 25_000;
/** So slow that it takes fewer events than the load makes. */
const answersAfterMs = 2000;

/** Writes under audit: none fails, events are dropped, and the server ends in time. */
async function play(webhook: FaultyWebhook): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'faulty-audit-'));
  webhook.writeKubeconfig(join(folder, 'kubeconfig'));
  const policy = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n';
  writeFileSync(join(folder, 'policy.yaml'), policy);
  const cluster = await startAnyCluster({ flags: [...auditedFlags(folder), ...fewEvents] });
  try {
    await prepareObjects(cluster);
    const { writes, failures } = await writeAt(cluster, 200, 3000);
    assert.ok(writes >= 500);
    assert.equal(failures, 0);
    const admin = http1Client(cluster);
    assert.ok((await droppedEvents(admin)) > 0);
    admin.close();
  } finally {
    const endingMs = performance.now();
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
    assert.ok(performance.now() - endingMs < longestEndMs);
  }
}

describe('audit webhook', () => {
  test('that hangs makes no write fail, costs only counted events, and does not hold the end of the server', async () => {
    const webhook = await startHangingWebhook();
    try {
      await play(webhook);
    } finally {
      await webhook.close();
    }
  });

  test('that is slow gets as many events as it takes, and costs the others only, which are counted', async () => {
    const webhook = await startSlowWebhook(answersAfterMs);
    try {
      await play(webhook);
      assert.ok(webhook.taken() > 0);
    } finally {
      await webhook.close();
    }
  });
});
