import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CoreInMemory } from '#servers/core/controllers/testing/core-in-memory.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import { systemContext } from '#shared/registry/system-context.ts';

// Texts as test/conformance/series/dry-runs.ts compares them with the reference's.

const group = 'networking.k8s.io';
const service: KubeObject = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', namespace: 'default' } };
const context = systemContext({ namespace: 'default' });
const dryRun = { ...context, dryRun: true };

async function withCore(run: (memory: CoreInMemory) => Promise<void>): Promise<void> {
  const memory = new CoreInMemory();
  try {
    await memory.core.caches.cache(group, 'servicecidrs').ready();
    await run(memory);
  } finally {
    memory.close();
  }
}

function addRange(memory: CoreInMemory, name: string, cidr: string): Promise<unknown> {
  return memory.core.store(group, 'servicecidrs').create(
    {
      apiVersion: `${group}/v1`,
      kind: 'ServiceCIDR',
      metadata: { name },
      spec: { cidrs: [cidr] },
    },
    systemContext(),
  );
}

function judge(memory: CoreInMemory, name: string, status: string): Promise<unknown> {
  const judged = {
    conditions: [{ type: 'Ready', status, lastTransitionTime: '2026-01-01T00:00:00Z', reason: '', message: '' }],
  };
  return memory.core
    .store(group, 'servicecidrs')
    .update(
      { name, subresource: 'status', transform: (existing) => ({ ...(existing as KubeObject), status: judged }) },
      systemContext({ subresource: 'status' }),
    );
}

describe('ClusterIPs', () => {
  test('allocates from a ServiceCIDR as soon as it is created or becomes ready', () =>
    withCore(async (memory) => {
      await addRange(memory, 'late', '10.9.0.0/28');
      await memory.clusterIPs.take(service, '10.9.0.3', context);
      await judge(memory, 'late', 'False');
      await memory.core.caches.cache(group, 'servicecidrs').waitForCurrent();
      await assert.rejects(memory.clusterIPs.take(service, '10.9.0.4', context), {
        message: 'the provided network does not match the current range',
      });
      await judge(memory, 'late', 'True');
      await memory.clusterIPs.take(service, '10.9.0.4', context);
    }));

  test('falls back to a ServiceCIDR created just now when the first range is full', () =>
    withCore(async (memory) => {
      for (let host = 1; host < 255; host++) await memory.clusterIPs.register(service, `10.0.0.${host}`, context);
      await assert.rejects(memory.clusterIPs.takeAny(service, 'IPv4', context), { message: 'range is full' });
      await addRange(memory, 'late', '10.9.0.0/30');
      assert.match(await memory.clusterIPs.takeAny(service, 'IPv4', context), /^10\.9\.0\.[12]$/);
    }));

  test('checks only the range of the address on a dry run', () =>
    withCore(async (memory) => {
      await memory.clusterIPs.take(service, '10.0.0.7', context);
      await memory.clusterIPs.take(service, '10.0.0.7', dryRun);
      await assert.rejects(memory.clusterIPs.take(service, '10.1.0.1', dryRun), {
        message: 'the provided IP (10.1.0.1) is not in the valid range. The range of valid IPs is 10.0.0.0/24',
      });
      assert.equal(await memory.clusterIPs.takeAny(service, 'IPv4', dryRun), '10.0.0.0');
      await assert.rejects(memory.clusterIPs.takeAny(service, 'IPv6', dryRun), { message: 'allocator not ready' });
    }));

  test('counts allocations and refusals by range, and the addresses that each range holds', () =>
    withCore(async (memory) => {
      await memory.clusterIPs.take(service, '10.0.0.7', context);
      await assert.rejects(memory.clusterIPs.take(service, '10.0.0.7', context));
      await assert.rejects(memory.clusterIPs.take(service, '10.1.0.1', context));
      await memory.clusterIPs.takeAny(service, 'IPv4', context);
      await memory.clusterIPs.takeAny(service, 'IPv4', dryRun);
      await memory.core.store(group, 'ipaddresses').cache.waitForCurrent();
      const families = memory.clusterIPs.metrics.families();
      for (const { refresh } of families) await refresh?.();
      const prefix = 'kube_apiserver_clusterip_allocator_';
      const lines = sampleLines(...families).filter((line) => !/_(?:bucket|sum)\{/.test(line));
      assert.deepEqual(lines.sort(), [
        `${prefix}allocated_ips{cidr="10.0.0.0/24"} 2`,
        `${prefix}allocation_duration_seconds_count{cidr="10.0.0.0/24"} 2`,
        `${prefix}allocation_errors_total{cidr="10.0.0.0/24",scope="static"} 1`,
        `${prefix}allocation_total{cidr="10.0.0.0/24",scope="dynamic"} 1`,
        `${prefix}allocation_total{cidr="10.0.0.0/24",scope="static"} 1`,
        `${prefix}available_ips{cidr="10.0.0.0/24"} 252`,
      ]);
    }));
});
