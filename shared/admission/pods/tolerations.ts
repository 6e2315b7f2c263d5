import { sameAs } from '../../api/same-by-type.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { numberAt, stringAt } from '../../apimachinery/object.ts';

const model = 'io.k8s.api.core.v1.Toleration';

/** Both lists without what another toleration of them covers (pkg/util/tolerations). */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  for (const [index, item] of all.entries()) {
    const covered = merged.some((other) => covers(other, item)) || all.slice(index + 1).some((other) => !sameAs(model, item, other) && covers(other, item));
    if (!covered) merged.push(item);
  }
  return merged;
}

/** Whether everything that `item` tolerates is tolerated by `other`. */
function covers(other: JsonObject, item: JsonObject): boolean {
  if (sameAs(model, item, other)) return true;
  const key = stringAt(other, 'key');
  const operator = stringAt(other, 'operator');
  const effect = stringAt(other, 'effect');
  if (stringAt(item, 'key') !== key && (key !== '' || operator !== 'Exists')) return false;
  if (stringAt(item, 'effect') !== effect && effect !== '') return false;
  const seconds = effect === 'NoExecute' ? numberAt(other, 'tolerationSeconds') : undefined;
  if (seconds !== undefined && (numberAt(item, 'tolerationSeconds') ?? Infinity) > seconds) return false;
  if (operator === 'Exists') return true;
  return (operator === 'Equal' || operator === '') && stringAt(item, 'operator') === 'Equal' && stringAt(item, 'value') === stringAt(other, 'value');
}
