import { isObject, type JsonValue } from '../apimachinery/json.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { GatedItem } from './gen-format.ts';

/** Facts as they are with these gates: items of lists that need gates stay where all of them are on, and their order does. */
export function asOfGates(facts: JsonValue, gates: FeatureGates): JsonValue {
  if (Array.isArray(facts)) {
    return facts.flatMap((entry) => {
      if (!isGated(entry)) return [asOfGates(entry, gates)];
      return entry.needs.every((gate) => gates.isEnabled(gate)) ? [asOfGates(entry.item, gates)] : [];
    });
  }
  if (!isObject(facts)) return facts;
  return Object.fromEntries(Object.entries(facts).map(([key, member]) => [key, asOfGates(member, gates)]));
}

function isGated(entry: JsonValue): entry is JsonValue & GatedItem {
  return isObject(entry) && Array.isArray(entry['needs']) && entry['item'] !== undefined;
}
