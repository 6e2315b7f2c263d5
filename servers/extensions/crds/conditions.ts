import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';

export type ConditionType =
  | 'Established'
  | 'NamesAccepted'
  | 'NonStructuralSchema'
  | 'Terminating'
  | 'KubernetesAPIApprovalPolicyConformant';

export interface Condition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export function findCondition(object: KubeObject, type: ConditionType): JsonObject | undefined {
  return objectsAt(object, 'status', 'conditions').find((condition) => condition['type'] === type);
}

export function conditionIs(object: KubeObject, type: ConditionType, status: Condition['status']): boolean {
  return findCondition(object, type)?.['status'] === status;
}

/** Whether the definition has a condition with this type, status, reason and message. */
export function hasCondition(object: KubeObject, { type, status, reason, message }: Condition): boolean {
  const found = findCondition(object, type);
  return (
    found !== undefined &&
    found['status'] === status &&
    stringAt(found, 'reason') === reason &&
    stringAt(found, 'message') === message
  );
}

/** Sets a condition in place; lastTransitionTime changes only when the status changes. */
export function setCondition(object: KubeObject, { type, status, reason, message }: Condition, nowMs: number): void {
  const list = [...objectsAt(object, 'status', 'conditions')];
  const at = list.findIndex((condition) => condition['type'] === type);
  const old = list[at];
  const time = old !== undefined && old['status'] === status ? stringAt(old, 'lastTransitionTime') : '';
  const made: JsonObject = { type, status, lastTransitionTime: time || timeFromMs(nowMs), reason, message };
  if (at < 0) list.push(made);
  else list[at] = made;
  statusOf(object)['conditions'] = list;
}

export function removeCondition(object: KubeObject, type: ConditionType): void {
  statusOf(object)['conditions'] = objectsAt(object, 'status', 'conditions').filter(
    (condition) => condition['type'] !== type,
  );
}

/** The status of a definition; creates it if it is absent. */
export function statusOf(object: KubeObject): JsonObject {
  const status = objectAt(object, 'status') ?? {};
  object['status'] = status;
  return status;
}
