import { newNotFound } from '../../../shared/apimachinery/status.ts';
import type { KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Reader } from '../../../shared/registry/rest.ts';
import type { Storage } from '../../../shared/storage/storage.ts';

/** ComponentStatuses, deprecated since 1.19: of the components only etcd can be asked from here. */
export function componentStatusReader(storage: Storage): Reader {
  const etcd = async (): Promise<KubeObject> => ({ apiVersion: 'v1', kind: 'ComponentStatus', metadata: { name: 'etcd-0' }, conditions: [await etcdCondition(storage)] });
  return {
    async get(_context, name) {
      if (name === 'etcd-0') return etcd();
      throw newNotFound({ group: '', resource: 'componentstatuses' }, name);
    },
    list: async () => [await etcd()],
  };
}

async function etcdCondition(storage: Storage): Promise<{ type: string; status: string; message?: string; error?: string }> {
  try {
    await storage.currentRevision();
    return { type: 'Healthy', status: 'True', message: 'ok' };
  } catch (error) {
    return { type: 'Healthy', status: 'False', error: error instanceof Error ? error.message : String(error) };
  }
}
