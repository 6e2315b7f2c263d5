import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { GatedItem } from './gen-format.ts';

/**
 * Removes the list items whose gates are not all on and unwraps the others. Changes `facts` in place: the caller has
 * just parsed them, and a copy would slow the start.
 */
export function resolveGatedItems<T extends JsonValue>(facts: T, gates: FeatureGates): T {
  if (!isObject(facts)) return facts;
  const members: Record<string, JsonValue> = facts;
  for (const key in members) {
    const member = members[key];
    if (Array.isArray(member)) members[key] = settledItems(member, gates);
    else if (member !== undefined) resolveGatedItems(member, gates);
  }
  return facts;
}

function settledItems(items: readonly JsonValue[], gates: FeatureGates): JsonValue[] {
  const kept: JsonValue[] = [];
  for (const entry of items) {
    if (isGated(entry) && !entry.needs.every((gate) => gates.isEnabled(gate))) continue;
    kept.push(resolveGatedItems(isGated(entry) ? entry.item : entry, gates));
  }
  return kept;
}

function isGated(entry: JsonValue): entry is JsonValue & GatedItem {
  return isObject(entry) && Array.isArray(entry['needs']) && entry['item'] !== undefined;
}
