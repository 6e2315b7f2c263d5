import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { newNotFound } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { ResourceReader } from '#shared/registry/rest.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { probeComponent } from './component-probes.ts';
import { componentStatusRows } from './component-status-rows.ts';

/**
 * ComponentStatuses, deprecated since 1.19: two components on this machine, and etcd
 * (pkg/registry/core/componentstatus).
 */
function componentStatusReader(storage: Storage): ResourceReader {
  const probes: Readonly<Record<string, () => Promise<JsonObject>>> = {
    'controller-manager': () => probeComponent(10_257),
    scheduler: () => probeComponent(10_259),
    'etcd-0': () => etcdCondition(storage),
  };
  const statusOf = async (name: string, probe: () => Promise<JsonObject>): Promise<KubeObject> => ({
    metadata: { name },
    conditions: [await probe()],
  });
  return {
    async get(name) {
      const probe = Object.hasOwn(probes, name) ? probes[name] : undefined;
      if (!probe) throw newNotFound({ group: '', resource: 'componentstatus' }, name);
      return { apiVersion: 'v1', kind: 'ComponentStatus', ...(await statusOf(name, probe)) };
    },
    list: () => Promise.all(Object.entries(probes).map(([name, probe]) => statusOf(name, probe))),
  };
}

async function etcdCondition(storage: Storage): Promise<JsonObject> {
  try {
    await storage.currentRevision();
    return { type: 'Healthy', status: 'True', message: 'ok' };
  } catch (error) {
    return { type: 'Healthy', status: 'False', message: error instanceof Error ? error.message : String(error) };
  }
}

export const componentStatusResource = defineBuiltIn({
  group: '',
  resource: 'componentstatuses',
  rows: componentStatusRows,
  reader: ({ core }) => componentStatusReader(core.storage),
});
