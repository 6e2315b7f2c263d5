import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, valueAt } from '#shared/apimachinery/object.ts';
import { canonicalQuantity } from '#shared/apimachinery/values/quantity.ts';

// Converts between the metrics of autoscaling/v1, flat objects in annotations, and those of autoscaling/v2, which have
// separate members for metric and target (pkg/apis/autoscaling/v1/conversion.go).

/** The amounts of a metric: `target` of a spec, `current` of a status. */
type Part = 'target' | 'current';

/** A field in v1, its path in v2, and the value that v1 has when the field is not set. */
type FlatField = readonly [flat: string, path: string, zero?: JsonValue];

const noReference: JsonObject = { kind: '', name: '' };

/** Sources and fields in the order in which v1 prints them. In a path, `#` is replaced by the part. */
const flatFields: Readonly<Record<Part, Readonly<Record<string, readonly FlatField[]>>>> = {
  target: {
    object: [
      ['target', 'describedObject', noReference],
      ['metricName', 'metric.name', ''],
      ['targetValue', '#.value', '0'],
      ['selector', 'metric.selector'],
      ['averageValue', '#.averageValue'],
    ],
    pods: [
      ['metricName', 'metric.name', ''],
      ['targetAverageValue', '#.averageValue', '0'],
      ['selector', 'metric.selector'],
    ],
    resource: [
      ['name', 'name', ''],
      ['targetAverageUtilization', '#.averageUtilization'],
      ['targetAverageValue', '#.averageValue'],
    ],
    containerResource: [
      ['name', 'name', ''],
      ['targetAverageUtilization', '#.averageUtilization'],
      ['targetAverageValue', '#.averageValue'],
      ['container', 'container', ''],
    ],
    external: [
      ['metricName', 'metric.name', ''],
      ['metricSelector', 'metric.selector'],
      ['targetValue', '#.value'],
      ['targetAverageValue', '#.averageValue'],
    ],
  },
  current: {
    object: [
      ['target', 'describedObject', noReference],
      ['metricName', 'metric.name', ''],
      ['currentValue', '#.value', '0'],
      ['selector', 'metric.selector'],
      ['averageValue', '#.averageValue'],
    ],
    pods: [
      ['metricName', 'metric.name', ''],
      ['currentAverageValue', '#.averageValue', '0'],
      ['selector', 'metric.selector'],
    ],
    resource: [
      ['name', 'name', ''],
      ['currentAverageUtilization', '#.averageUtilization'],
      ['currentAverageValue', '#.averageValue', '0'],
    ],
    containerResource: [
      ['name', 'name', ''],
      ['currentAverageUtilization', '#.averageUtilization'],
      ['currentAverageValue', '#.averageValue', '0'],
      ['container', 'container', ''],
    ],
    external: [
      ['metricName', 'metric.name', ''],
      ['metricSelector', 'metric.selector'],
      ['currentValue', '#.value', '0'],
      ['currentAverageValue', '#.averageValue'],
    ],
  },
};

/** v2 → v1. */
export function metricToV1(metric: JsonObject, part: Part): JsonObject {
  const flat: JsonObject = { type: stringAt(metric, 'type') };
  for (const [source, fields] of Object.entries(flatFields[part])) {
    const body = objectAt(metric, source);
    if (!body) continue;
    const values = fields.map(([name, path, zero]) => [name, valueAt(body, ...pathOf(path, part)) ?? zero] as const);
    setKey(
      flat,
      source,
      Object.fromEntries(values.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined)),
    );
  }
  return flat;
}

/** v1 → v2. */
export function metricFromV1(flat: JsonObject, part: Part): JsonObject {
  const metric: JsonObject = { type: stringAt(flat, 'type') };
  for (const [source, fields] of Object.entries(flatFields[part])) {
    const body = objectAt(flat, source);
    if (!body) continue;
    const made: JsonObject = {};
    for (const [name, path, zero] of fields) {
      const value = getKey(body, name) ?? zero;
      if (value !== undefined) place(made, pathOf(path, part), path.startsWith('#') ? canonicalAmount(value) : value);
    }
    if (part === 'target') made['target'] = targetOf(source, objectAt(made, 'target') ?? {});
    setKey(metric, source, made);
  }
  return metric;
}

function pathOf(path: string, part: Part): string[] {
  return path.split('.').map((key) => (key === '#' ? part : key));
}

function place(into: JsonObject, path: readonly string[], value: JsonValue): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    setKey(into, first, value);
    return;
  }
  const inner = getKey(into, first);
  const next = isObject(inner) ? inner : {};
  setKey(into, first, next);
  place(next, rest, value);
}

/** Derives the type of a target from the amounts that are set. */
function targetOf(source: string, amounts: JsonObject): JsonObject {
  switch (source) {
    case 'object': {
      if (amounts['averageValue'] === undefined) return { type: 'Value', ...amounts };
      // v1 cannot omit the value, so zero means that it is not set.
      const { value, ...rest } = amounts;
      return { type: 'AverageValue', ...(value === '0' ? {} : { value: value ?? null }), ...rest };
    }
    case 'external':
      return { type: amounts['value'] === undefined ? 'AverageValue' : 'Value', ...amounts };
    case 'pods':
      return { type: 'AverageValue', ...amounts };
    default:
      return { type: amounts['averageUtilization'] === undefined ? 'AverageValue' : 'Utilization', ...amounts };
  }
}

/** Brings an amount to its canonical form: users may have written the annotation by hand. */
function canonicalAmount(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  try {
    return canonicalQuantity(value);
  } catch {
    return value;
  }
}
