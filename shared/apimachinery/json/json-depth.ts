import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { getKey } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';

/**
 * Whether objects and lists are nested more than `levels` deep. Checks level by level, without recursion, so that it
 * works for values too deep for the stack, too.
 */
export function* isDeeperThan(value: JsonValue, levels: number): Steps<boolean> {
  let level: JsonValue[] = [];
  collect(value, level);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true;
    const below: JsonValue[] = [];
    for (const container of level) {
      if (Array.isArray(container)) for (const item of container) collect(item, below);
      else {
        for (const key of Object.keys(container as JsonObject)) {
          collect(getKey(container as JsonObject, key), below);
          if (sliceIsOver()) yield;
        }
      }
      if (sliceIsOver()) yield;
    }
    level = below;
  }
  return false;
}

function collect(value: JsonValue | undefined, containers: JsonValue[]): void {
  if (typeof value === 'object' && value !== null) containers.push(value);
}
