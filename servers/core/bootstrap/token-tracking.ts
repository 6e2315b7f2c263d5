import type { CoreContext } from '#servers/core/context/core-context.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import { ensureConfigMap } from './ensure-object.ts';

const name = 'kube-apiserver-legacy-service-account-token-tracking';

/**
 * Post-start hook `start-legacy-token-tracking-controller`: stores the day since which the use of legacy tokens is
 * tracked (KEP-2799).
 */
export async function ensureTokenTracking(core: CoreContext, nowMs = Date.now()): Promise<void> {
  const since = timeFromMs(nowMs).slice(0, 10);
  await ensureConfigMap(core, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'kube-system' },
    data: { since },
  });
}
