import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { listAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { labelSelectorAsSelector, matchesLabels } from '#shared/apimachinery/selectors/labels.ts';

/** Scopes and scope selector of a quota as one list of requirements. */
export function scopeRequirements(quota: KubeObject): readonly JsonObject[] {
  const scopes = stringsAt(quota, 'spec', 'scopes').map((scopeName): JsonObject => ({ scopeName, operator: 'Exists' }));
  return [...scopes, ...objectsAt(quota, 'spec', 'scopeSelector', 'matchExpressions')];
}

/** Whether the object's value for the scope meets the requirement; undefined means that the object has no value. */
export function meetsRequirement(requirement: JsonObject, value: string | undefined): boolean {
  const scopeName = stringAt(requirement, 'scopeName');
  const values = [...listAt(requirement, 'values')];
  const selector = labelSelectorAsSelector({
    matchExpressions: [{ key: scopeName, operator: stringAt(requirement, 'operator'), values }],
  });
  return matchesLabels(selector, value === undefined ? {} : { [scopeName]: value });
}
