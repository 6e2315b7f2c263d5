import type { CoreContext } from '#servers/core/context/core-context.ts';
import { hasReason } from '#shared/apimachinery/errors/status.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import type { WriteLimit } from './write-limit.ts';

const group = 'flowcontrol.apiserver.k8s.io';

const [delayMs, delaySpreadMs] = [30_000, 45_000];

/**
 * Writes into the status of each FlowSchema whether its priority level exists (KEP-1040); skips unchanged ones.
 * Resolves to the time after which to try again those that were written too often; undefined if there are none.
 */
export async function markFlowSchemas(core: CoreContext, limit: WriteLimit): Promise<number | undefined> {
  const [schemas, levels] = [core.store(group, 'flowschemas'), core.store(group, 'prioritylevelconfigurations')];
  await Promise.all([schemas.cache.waitForCurrent(), levels.cache.waitForCurrent()]);
  const context = systemContext({
    subresource: 'status',
    fieldManager: 'api-priority-and-fairness-config-consumer-v1',
  });
  let isDelayed = false;
  limit.prune();
  for (const entry of schemas.cache.snapshot().entries(schemas.key(''))) {
    const schema = schemas.parse(entry);
    const level = stringAt(schema, 'spec', 'priorityLevelConfiguration', 'name');
    const found = levels.cache.get(levels.key('', level)) !== undefined;
    const config = statusOf(schema, level, found, context.nowMs);
    if (config === undefined) continue;
    if (!limit.take(entry.name)) {
      isDelayed = true;
      continue;
    }
    try {
      await schemas.update(
        {
          name: entry.name,
          subresource: 'status',
          applies: true,
          transform: () => config,
        },
        context,
      );
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }
  return isDelayed ? delayMs + Math.random() * delaySpreadMs : undefined;
}

/** The configuration to apply; undefined if the status is already right. */
function statusOf(schema: KubeObject, level: string, found: boolean, nowMs: number): KubeObject | undefined {
  const text = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)} ${found ? 'and it exists' : 'but there is no such object'}`;
  const dangling = {
    type: 'Dangling',
    status: found ? 'False' : 'True',
    reason: found ? 'Found' : 'NotFound',
    message: text,
    lastTransitionTime: timeFromMs(nowMs),
  };
  const before = objectsAt(schema, 'status', 'conditions').find(
    (condition) => stringAt(condition, 'type') === 'Dangling',
  );
  if (before && ['status', 'reason', 'message'].every((key) => stringAt(before, key) === stringAt(dangling, key)))
    return undefined;
  return {
    apiVersion: `${group}/v1`,
    kind: 'FlowSchema',
    metadata: { name: schema.metadata.name ?? '' },
    status: { conditions: [dangling] },
  };
}
