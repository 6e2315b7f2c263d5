import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import type { Conversion } from '#shared/registry/rest.ts';
import { rawText } from '#shared/serializer/json/loose.ts';
import { metricFromV1, metricToV1 } from './metric-conversion.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const annotations = {
  metrics: `${prefix}metrics`,
  currentMetrics: `${prefix}current-metrics`,
  behavior: `${prefix}behavior`,
  conditions: `${prefix}conditions`,
};

/** The target, in percent of the requested CPU, of an autoscaler without metrics. */
const defaultUtilization = 80;

/** Converts between autoscaling/v1, which has CPU only and keeps the rest in annotations, and the stored v2. */
export const autoscalerConversion: Conversion = {
  toStorage(autoscaler) {
    const spec = ensureObject(autoscaler, 'spec');
    const percent = numberAt(spec, 'targetCPUUtilizationPercentage');
    delete spec['targetCPUUtilizationPercentage'];
    const others = readList(autoscaler, annotations.metrics).map((metric) => metricFromV1(metric, 'target'));
    // The default of v1 depends on the annotations, so it is set here, where conversions for server-side apply see it.
    const amount = percent ?? (others.length === 0 ? defaultUtilization : undefined);
    spec['metrics'] =
      amount === undefined
        ? others
        : [...others, cpuMetric('target', { type: 'Utilization', averageUtilization: amount })];
    const behavior = readAnnotation(autoscaler, annotations.behavior);
    if (isObject(behavior)) spec['behavior'] = renameKeys(withoutNulls(behavior), lowerFirst);
    readStatus(autoscaler);
    dropAnnotations(autoscaler);
    return autoscaler;
  },
  fromStorage(autoscaler) {
    dropAnnotations(autoscaler);
    const spec = ensureObject(autoscaler, 'spec');
    const metrics = objectsAt(spec, 'metrics');
    const cpu = metrics.find(isCpuUtilization);
    delete spec['metrics'];
    if (cpu) spec['targetCPUUtilizationPercentage'] = numberAt(cpu, 'resource', 'target', 'averageUtilization') ?? 0;
    write(
      autoscaler,
      annotations.metrics,
      metrics.filter((metric) => !isCpuUtilization(metric)).map((metric) => metricToV1(metric, 'target')),
    );
    const behavior = objectAt(spec, 'behavior');
    delete spec['behavior'];
    if (behavior) write(autoscaler, annotations.behavior, internalBehavior(behavior));
    writeStatus(autoscaler);
    return autoscaler;
  },
};

function readStatus(autoscaler: KubeObject): void {
  const status = objectAt(autoscaler, 'status');
  if (!status) return;
  const percent = numberAt(status, 'currentCPUUtilizationPercentage');
  delete status['currentCPUUtilizationPercentage'];
  const metrics = readList(autoscaler, annotations.currentMetrics).map((metric) => metricFromV1(metric, 'current'));
  const conditions = readList(autoscaler, annotations.conditions);
  if (metrics.length > 0) status['currentMetrics'] = metrics;
  else if (percent !== undefined) status['currentMetrics'] = [cpuMetric('current', { averageUtilization: percent })];
  if (conditions.length > 0) status['conditions'] = conditions;
}

function writeStatus(autoscaler: KubeObject): void {
  const status = objectAt(autoscaler, 'status');
  if (!status) return;
  const metrics = objectsAt(status, 'currentMetrics');
  const percent = metrics
    .filter((metric) => stringAt(metric, 'resource', 'name') === 'cpu')
    .map((metric) => numberAt(metric, 'resource', 'current', 'averageUtilization'))
    .find((value) => value !== undefined);
  if (percent !== undefined) status['currentCPUUtilizationPercentage'] = percent;
  write(
    autoscaler,
    annotations.currentMetrics,
    metrics.map((metric) => metricToV1(metric, 'current')),
  );
  write(autoscaler, annotations.conditions, [...objectsAt(status, 'conditions')]);
  delete status['currentMetrics'];
  delete status['conditions'];
}

function cpuMetric(part: 'target' | 'current', amounts: JsonObject): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', [part]: amounts } };
}

function isCpuUtilization(metric: JsonObject): boolean {
  return (
    stringAt(metric, 'resource', 'name') === 'cpu' &&
    numberAt(metric, 'resource', 'target', 'averageUtilization') !== undefined
  );
}

/** Ignores an annotation that is not JSON, as the reference does. */
function readAnnotation(autoscaler: KubeObject, name: string): JsonValue | undefined {
  const text = getKey(autoscaler.metadata.annotations, name);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function readList(autoscaler: KubeObject, name: string): JsonObject[] {
  const value = readAnnotation(autoscaler, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function write(autoscaler: KubeObject, name: string, value: JsonObject | JsonObject[]): void {
  if (Array.isArray(value) && value.length === 0) return;
  autoscaler.metadata.annotations = { ...autoscaler.metadata.annotations, [name]: rawText(value) };
}

function dropAnnotations(autoscaler: KubeObject): void {
  const kept = Object.entries(autoscaler.metadata.annotations ?? {}).filter(
    ([name]) => !Object.values(annotations).includes(name),
  );
  if (kept.length === 0) delete autoscaler.metadata.annotations;
  else autoscaler.metadata.annotations = Object.fromEntries(kept);
}

/** The behavior with the field order and the zero values of the reference's internal type. */
function internalBehavior(behavior: JsonObject): JsonObject {
  const rules = (of: JsonObject | undefined): JsonObject | null =>
    of
      ? {
          StabilizationWindowSeconds: numberAt(of, 'stabilizationWindowSeconds') ?? null,
          SelectPolicy: of['selectPolicy'] ?? null,
          Policies:
            of['policies'] === undefined
              ? null
              : objectsAt(of, 'policies').map((policy) => ({
                  Type: stringAt(policy, 'type'),
                  Value: numberAt(policy, 'value') ?? 0,
                  PeriodSeconds: numberAt(policy, 'periodSeconds') ?? 0,
                })),
          Tolerance: of['tolerance'] ?? null,
        }
      : null;
  return { ScaleUp: rules(objectAt(behavior, 'scaleUp')), ScaleDown: rules(objectAt(behavior, 'scaleDown')) };
}

/** Renames all keys: the annotation of the behavior has Go's field names, as the reference's internal type prints. */
function renameKeys(value: JsonValue, rename: (key: string) => string): JsonObject {
  const walk = (item: JsonValue): JsonValue => {
    if (Array.isArray(item)) return item.map(walk);
    return isObject(item)
      ? Object.fromEntries(Object.entries(item).map(([key, inner]) => [rename(key), walk(inner)]))
      : item;
  };
  return walk(value) as JsonObject;
}

function withoutNulls(value: JsonObject): JsonObject {
  const walk = (item: JsonValue): JsonValue => {
    if (Array.isArray(item)) return item.map(walk);
    return isObject(item)
      ? Object.fromEntries(
          Object.entries(item)
            .filter(([, inner]) => inner !== null)
            .map(([key, inner]) => [key, walk(inner)]),
        )
      : item;
  };
  return walk(value) as JsonObject;
}

const lowerFirst = (key: string): string => key.charAt(0).toLowerCase() + key.slice(1);
