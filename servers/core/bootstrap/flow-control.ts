import { bootstrapFlowControl } from '../../../shared/api/bootstrap-objects.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { asKubeObject } from '../../../shared/apimachinery/object.ts';
import type { CoreContext } from '../core-context.ts';
import { ensureObject } from './ensure-object.ts';
import { markFlowSchemas } from './flow-schema-status.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const producer = 'api-priority-and-fairness-config-producer-v1';

/** Post-start hook `priority-and-fairness-config-producer`: mandatory and suggested objects (KEP-1040). */
export async function ensureFlowControl(core: CoreContext): Promise<void> {
  const facts = bootstrapFlowControl();
  const levels: readonly JsonObject[] = [...facts.mandatoryPriorityLevels, ...facts.suggestedPriorityLevels];
  const schemas: readonly JsonObject[] = [...facts.mandatoryFlowSchemas, ...facts.suggestedFlowSchemas];
  await Promise.all(levels.map((level) => ensureObject(core, group, 'prioritylevelconfigurations', asKubeObject({ apiVersion: `${group}/v1`, kind: 'PriorityLevelConfiguration', ...level }), producer)));
  await Promise.all(schemas.map((schema) => ensureObject(core, group, 'flowschemas', asKubeObject({ apiVersion: `${group}/v1`, kind: 'FlowSchema', ...schema }), producer)));
  await markFlowSchemas(core);
}
