import { objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { hasReason } from '../../../shared/apimachinery/status.ts';
import { timeFromMs } from '../../../shared/apimachinery/time.ts';
import type { CoreContext } from '../core-context.ts';
import { systemContext } from './system-context.ts';

const group = 'flowcontrol.apiserver.k8s.io';

/** Writes into each FlowSchema whether its priority level is there (KEP-1040); what says so already is not written. */
export async function markFlowSchemas(core: CoreContext): Promise<void> {
  const [schemas, levels] = [core.store(group, 'flowschemas'), core.store(group, 'prioritylevelconfigurations')];
  await Promise.all([schemas.cache.waitForCurrent(), levels.cache.waitForCurrent()]);
  const context = { ...systemContext(), subresource: 'status' };
  for (const entry of schemas.cache.snapshot().entries(schemas.key(''))) {
    const level = stringAt(schemas.parse(entry), 'spec', 'priorityLevelConfiguration', 'name');
    const found = levels.cache.get(levels.key('', level)) !== undefined;
    try {
      await schemas.update(context, { name: entry.name, subresource: 'status', transform: (existing) => mark(existing as KubeObject, level, found, context.nowMs) });
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }
}

function mark(schema: KubeObject, level: string, found: boolean, nowMs: number): KubeObject {
  const text = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} ${found ? 'and it exists' : 'but there is no such object'}`;
  const dangling = { type: 'Dangling', status: found ? 'False' : 'True', reason: found ? 'Found' : 'NotFound', message: text, lastTransitionTime: timeFromMs(nowMs) };
  const conditions = objectsAt(schema, 'status', 'conditions');
  const before = conditions.find((condition) => stringAt(condition, 'type') === 'Dangling');
  if (before && ['status', 'reason', 'message'].every((key) => stringAt(before, key) === stringAt(dangling, key))) return schema;
  schema['status'] = { conditions: [...conditions.filter((condition) => condition !== before), dangling] };
  return schema;
}
