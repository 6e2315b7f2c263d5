import type { JsonObject, JsonValue } from '../../../shared/apimachinery/json.ts';
import { objectAt, stringAt } from '../../../shared/apimachinery/object.ts';

// Metrics of autoscaling/v1 as they lie in annotations, flat, against those of autoscaling/v2, which name metric and
// target apart (pkg/apis/autoscaling/v1/conversion.go).

/** What a metric measures, and under which key: the same five in both versions. */
const sources = ['resource', 'containerResource', 'pods', 'object', 'external'] as const;

function put(target: JsonObject, key: string, value: JsonValue | undefined): void {
  if (value !== undefined) target[key] = value;
}

/** A copy of the keys that are there, renamed. */
function pick(source: JsonObject | undefined, names: Readonly<Record<string, string>>): JsonObject {
  const picked: JsonObject = {};
  for (const [from, to] of Object.entries(names)) put(picked, to, source?.[from]);
  return picked;
}

interface Names {
  readonly value: string;
  readonly averageValue: string;
  readonly averageUtilization: string;
  readonly selector: string;
}

const specNames = (kind: string): Names => ({
  value: 'targetValue',
  averageValue: kind === 'object' ? 'averageValue' : 'targetAverageValue',
  averageUtilization: 'targetAverageUtilization',
  selector: kind === 'external' ? 'metricSelector' : 'selector',
});

const statusNames = (kind: string): Names => ({
  value: 'currentValue',
  averageValue: kind === 'object' ? 'averageValue' : 'currentAverageValue',
  averageUtilization: 'currentAverageUtilization',
  selector: kind === 'external' ? 'metricSelector' : 'selector',
});

/** v2 → v1. `part` is `target` for a spec and `current` for a status. */
export function metricToV1(metric: JsonObject, part: 'target' | 'current'): JsonObject {
  const flat: JsonObject = { type: stringAt(metric, 'type') };
  for (const kind of sources) {
    const body = objectAt(metric, kind);
    if (!body) continue;
    const names = part === 'target' ? specNames(kind) : statusNames(kind);
    const amounts = pick(objectAt(body, part), { value: names.value, averageValue: names.averageValue, averageUtilization: names.averageUtilization });
    const named = kind === 'resource' || kind === 'containerResource'
      ? pick(body, { name: 'name', container: 'container' })
      : { ...pick(body, { describedObject: 'target' }), ...pick(objectAt(body, 'metric'), { name: 'metricName', selector: names.selector }) };
    flat[kind] = { ...named, ...amounts };
  }
  return flat;
}

/** v1 → v2. */
export function metricFromV1(flat: JsonObject, part: 'target' | 'current'): JsonObject {
  const metric: JsonObject = { type: stringAt(flat, 'type') };
  for (const kind of sources) {
    const body = objectAt(flat, kind);
    if (!body) continue;
    const names = part === 'target' ? specNames(kind) : statusNames(kind);
    const amounts = pick(body, { [names.value]: 'value', [names.averageValue]: 'averageValue', [names.averageUtilization]: 'averageUtilization' });
    const made = kind === 'resource' || kind === 'containerResource'
      ? pick(body, { name: 'name', container: 'container' })
      : { ...(kind === 'object' ? pick(body, { target: 'describedObject' }) : {}), metric: pick(body, { metricName: 'name', [names.selector]: 'selector' }) };
    metric[kind] = { ...made, [part]: part === 'target' ? { type: targetType(amounts), ...amounts } : amounts };
  }
  return metric;
}

function targetType(amounts: JsonObject): string {
  if (amounts['averageUtilization'] !== undefined) return 'Utilization';
  return amounts['averageValue'] === undefined ? 'Value' : 'AverageValue';
}
