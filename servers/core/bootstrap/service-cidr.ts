import { hasReason } from '../../../shared/apimachinery/status.ts';
import { timeFromMs } from '../../../shared/apimachinery/time.ts';
import { objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { CoreContext } from '../core-context.ts';
import { ensureObject } from './ensure-object.ts';
import { systemContext } from './system-context.ts';

const group = 'networking.k8s.io';
const name = 'kubernetes';

/** Post-start hook `start-kubernetes-service-cidr-controller`: the ServiceCIDR of the flag, and that it is ready. */
export async function ensureServiceCidr(core: CoreContext, cidrs: readonly string[]): Promise<void> {
  await ensureObject(core, group, 'servicecidrs', { apiVersion: `${group}/v1`, kind: 'ServiceCIDR', metadata: { name }, spec: { cidrs: [...cidrs] } });
  const context = { ...systemContext('', 'kubernetes-service-cidr-controller'), subresource: 'status' };
  const store = core.store(group, 'servicecidrs');
  try {
    const present = store.parse(await store.get('', name));
    if (objectsAt(present, 'status', 'conditions').some((condition) => stringAt(condition, 'type') === 'Ready')) return;
    await store.update(context, { name, subresource: 'status', applies: true, transform: () => readyStatus(context.nowMs) });
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

function readyStatus(nowMs: number): KubeObject {
  const ready = { type: 'Ready', status: 'True', message: 'Kubernetes default Service CIDR is ready', lastTransitionTime: timeFromMs(nowMs) };
  return { apiVersion: `${group}/v1`, kind: 'ServiceCIDR', metadata: { name }, status: { conditions: [ready] } };
}
