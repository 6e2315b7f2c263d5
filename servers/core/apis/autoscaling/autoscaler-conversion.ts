import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, valueAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import type { Conversion } from '#shared/registry/rest.ts';
import type { EncodingJsonType } from '#shared/serializer/json/encoding-json-types.ts';
import { decodeEncodingJson } from '#shared/serializer/json/encoding-json.ts';
import { rawText } from '#shared/serializer/json/loose.ts';
import { behaviorType, conditionsType, metricSpecsType, metricStatusesType } from './annotation-types.ts';
import { metricFromV1, metricToV1 } from './metric-conversion.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const annotations = {
  metrics: `${prefix}metrics`,
  currentMetrics: `${prefix}current-metrics`,
  behavior: `${prefix}behavior`,
  conditions: `${prefix}conditions`,
};
/** Annotations that no version keeps: those of this conversion, and two that stood for tolerances. */
const dropped: ReadonlySet<string> = new Set([
  ...Object.values(annotations),
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
]);

/** The target, in percent of the requested CPU, of an autoscaler without metrics. */
const defaultUtilization = 80;

/** Converts between autoscaling/v1, which has CPU only and keeps the rest in annotations, and the stored v2. */
export const autoscalerConversion: Conversion = {
  applyDefaults: (autoscaler) => setDefault(ensureObject(autoscaler, 'spec'), 'minReplicas', 1),
  toStorage(autoscaler) {
    const spec = ensureObject(autoscaler, 'spec');
    const percent = numberAt(spec, 'targetCPUUtilizationPercentage');
    delete spec['targetCPUUtilizationPercentage'];
    const others = readList(autoscaler, annotations.metrics, metricSpecsType) ?? [];
    // The default of v1 depends on the annotations, so it is set here, where conversions for server-side apply see it.
    const amount = percent ?? (others.length === 0 ? defaultUtilization : undefined);
    spec['metrics'] = [
      ...others.map((metric) => metricFromV1(metric, 'target')),
      ...(amount === undefined ? [] : [cpuMetric('target', { type: 'Utilization', averageUtilization: amount })]),
    ];
    const behavior = readAnnotation(autoscaler, annotations.behavior, behaviorType);
    if (isObject(behavior) && Object.keys(behavior).length > 0) spec['behavior'] = behavior;
    readStatus(autoscaler);
    dropConvertedAnnotations(autoscaler);
    return autoscaler;
  },
  fromStorage(autoscaler) {
    dropConvertedAnnotations(autoscaler);
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

/** The annotations have more than the status of v1, and say it all where they are there. */
function readStatus(autoscaler: KubeObject): void {
  const percent = numberAt(autoscaler, 'status', 'currentCPUUtilizationPercentage');
  delete objectAt(autoscaler, 'status')?.['currentCPUUtilizationPercentage'];
  const metrics =
    readList(autoscaler, annotations.currentMetrics, metricStatusesType)?.map((metric) =>
      metricFromV1(metric, 'current'),
    ) ?? (percent === undefined ? undefined : [cpuMetric('current', { averageUtilization: percent })]);
  const conditions = readList(autoscaler, annotations.conditions, conditionsType);
  if (metrics !== undefined) ensureObject(autoscaler, 'status')['currentMetrics'] = metrics;
  if (conditions !== undefined) ensureObject(autoscaler, 'status')['conditions'] = conditions;
}

function writeStatus(autoscaler: KubeObject): void {
  const status = objectAt(autoscaler, 'status');
  if (!status) return;
  const metrics = objectsAt(status, 'currentMetrics');
  const percent = metrics
    .filter(isOfCpu)
    .map((metric) => numberAt(metric, 'resource', 'current', 'averageUtilization'))
    .findLast((value) => value !== undefined);
  if (percent !== undefined) status['currentCPUUtilizationPercentage'] = percent;
  write(
    autoscaler,
    annotations.currentMetrics,
    metrics.map((metric) => metricToV1(metric, 'current')),
  );
  write(autoscaler, annotations.conditions, objectsAt(status, 'conditions').map(conditionToV1));
  delete status['currentMetrics'];
  delete status['conditions'];
}

/** In the order in which v1 prints the fields. */
function conditionToV1(condition: JsonObject): JsonObject {
  const [reason, message] = [stringAt(condition, 'reason'), stringAt(condition, 'message')];
  return {
    type: stringAt(condition, 'type'),
    status: stringAt(condition, 'status'),
    lastTransitionTime: condition['lastTransitionTime'] ?? null,
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
  };
}

function cpuMetric(part: 'target' | 'current', amounts: JsonObject): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', [part]: amounts } };
}

function isOfCpu(metric: JsonObject): boolean {
  return stringAt(metric, 'type') === 'Resource' && stringAt(metric, 'resource', 'name') === 'cpu';
}

function isCpuUtilization(metric: JsonObject): boolean {
  return isOfCpu(metric) && valueAt(metric, 'resource', 'target', 'averageUtilization') !== undefined;
}

/** Ignores an annotation that does not decode, as the reference does. */
function readAnnotation(autoscaler: KubeObject, name: string, type: EncodingJsonType): JsonValue | undefined {
  const text = getKey(autoscaler.metadata.annotations, name);
  if (text === undefined) return undefined;
  const { value = null, error } = decodeEncodingJson(text, type);
  return error === undefined ? value : undefined;
}

function readList(autoscaler: KubeObject, name: string, type: EncodingJsonType): JsonObject[] | undefined {
  const value = readAnnotation(autoscaler, name, type);
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function write(autoscaler: KubeObject, name: string, value: JsonObject | JsonObject[]): void {
  if (Array.isArray(value) && value.length === 0) return;
  autoscaler.metadata.annotations = { ...autoscaler.metadata.annotations, [name]: rawText(value) };
}

/** Takes away the annotations of which no version keeps any, whatever they hold. */
export function dropConvertedAnnotations({ metadata }: KubeObject): void {
  const entries = Object.entries(metadata.annotations ?? {});
  const kept = entries.filter(([name]) => !dropped.has(name));
  if (kept.length === entries.length) return;
  if (kept.length === 0) delete metadata.annotations;
  else metadata.annotations = Object.fromEntries(kept);
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
