import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { NONE, UNKNOWN, UNSET, ageOf, cellsOf, count, nameOf, quantityText } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printAutoscaler(object: JsonObject): Cell[] {
  const minimum = numberAt(object, 'spec', 'minReplicas');
  return [
    nameOf(object),
    `${stringAt(object, 'spec', 'scaleTargetRef', 'kind')}/${stringAt(object, 'spec', 'scaleTargetRef', 'name')}`,
    formatMetrics(specMetrics(object), statusMetrics(object)),
    minimum === undefined ? UNSET : String(minimum),
    count(object, 'spec', 'maxReplicas'),
    count(object, 'status', 'currentReplicas'),
    ageOf(object),
  ];
}

/** The target in percent that the reference gives to a v1 autoscaler without one. */
const DEFAULT_CPU_UTILIZATION = 80;

/** v1 has one CPU target where v2 has a list of metrics; the v1 annotations with other metrics are not read. */
function specMetrics(object: JsonObject): readonly JsonObject[] {
  const implied = stringAt(object, 'apiVersion') === 'autoscaling/v1' ? DEFAULT_CPU_UTILIZATION : undefined;
  const cpu = numberAt(object, 'spec', 'targetCPUUtilizationPercentage') ?? implied;
  if (cpu === undefined) return objectsAt(object, 'spec', 'metrics');
  return [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: cpu } } }];
}

function statusMetrics(object: JsonObject): readonly JsonObject[] {
  const cpu = numberAt(object, 'status', 'currentCPUUtilizationPercentage');
  if (cpu === undefined) return objectsAt(object, 'status', 'currentMetrics');
  return [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: cpu } } }];
}

function formatMetrics(specs: readonly JsonObject[], statuses: readonly JsonObject[]): string {
  if (specs.length === 0) return NONE;
  const list = specs.map((spec, i) => formatMetric(spec, statuses[i]));
  return list.slice(0, 2).join(', ') + (list.length > 2 ? ` + ${list.length - 2} more...` : '');
}

function formatMetric(spec: JsonObject, status: JsonObject | undefined): string {
  switch (stringAt(spec, 'type')) {
    case 'External':
      return formatValue(spec, status, 'external');
    case 'Object':
      return formatValue(spec, status, 'object');
    case 'Pods': {
      const current =
        objectAt(status, 'pods') === undefined ? UNKNOWN : quantityText(status, 'pods', 'current', 'averageValue');
      return `${current}/${quantityText(spec, 'pods', 'target', 'averageValue')}`;
    }
    case 'Resource':
      return formatResource(spec, status, 'resource');
    case 'ContainerResource':
      return formatResource(spec, status, 'containerResource');
    default:
      return '<unknown type>';
  }
}

function formatValue(spec: JsonObject, status: JsonObject | undefined, source: string): string {
  const average = stringAt(spec, source, 'target', 'averageValue');
  if (average !== '') {
    const current = stringAt(status, source, 'current', 'averageValue');
    return `${current === '' ? UNKNOWN : current}/${average} (avg)`;
  }
  const current = objectAt(status, source) === undefined ? UNKNOWN : quantityText(status, source, 'current', 'value');
  return `${current}/${quantityText(spec, source, 'target', 'value')}`;
}

function formatResource(spec: JsonObject, status: JsonObject | undefined, source: string): string {
  const name = stringAt(spec, source, 'name');
  const average = stringAt(spec, source, 'target', 'averageValue');
  if (average !== '') {
    const current =
      objectAt(status, source) === undefined ? UNKNOWN : quantityText(status, source, 'current', 'averageValue');
    return `${name}: ${current}/${average}`;
  }
  const current = numberAt(status, source, 'current', 'averageUtilization');
  const target = numberAt(spec, source, 'target', 'averageUtilization');
  return `${name}: ${current === undefined ? UNKNOWN : `${current}%`}/${target === undefined ? '<auto>' : `${target}%`}`;
}

export const horizontalPodAutoscalerRows: KindRows = {
  print: cellsOf(printAutoscaler),
};
