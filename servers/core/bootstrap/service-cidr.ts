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
  const context = { ...systemContext(), subresource: 'status' };
  try {
    await core.store(group, 'servicecidrs').update(context, { name, subresource: 'status', retryOnConflict: true, transform: (existing) => markReady(existing as KubeObject, context.nowMs) });
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

function markReady(cidr: KubeObject, nowMs: number): KubeObject {
  const conditions = objectsAt(cidr, 'status', 'conditions');
  if (conditions.some((c) => stringAt(c, 'type') === 'Ready')) return cidr;
  const ready = { type: 'Ready', status: 'True', reason: '', message: 'Kubernetes default Service CIDR is ready', lastTransitionTime: timeFromMs(nowMs) };
  cidr['status'] = { conditions: [...conditions, ready] };
  return cidr;
}
