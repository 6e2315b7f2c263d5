import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { NONE, ageOf, cellsOf, count, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

function printPriorityClass(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    count(object, 'value'),
    booleanAt(object, 'globalDefault') ?? false,
    ageOf(object),
    stringAt(object, 'preemptionPolicy'),
  ];
}

function printPodGroup(object: JsonObject): Cell[] {
  const last = (type: string): JsonObject | undefined =>
    objectsAt(object, 'status', 'conditions').findLast((item) => stringAt(item, 'type') === type);
  const scheduled = last('PodGroupScheduled');
  const disrupted = last('DisruptionTarget');
  const scheduling =
    scheduled === undefined ? 'Pending' : stringAt(scheduled, 'status') === 'True' ? 'Scheduled' : 'Unschedulable';
  const template = objectAt(object, 'spec', 'podGroupTemplateRef');
  return [
    nameOf(object),
    objectAt(object, 'spec', 'schedulingPolicy', 'gang') === undefined ? 'Basic' : 'Gang',
    template === undefined ? NONE : stringAt(template, 'workload', 'workloadName'),
    disrupted === undefined ? scheduling : stringAt(disrupted, 'reason'),
    ageOf(object),
  ];
}

export const podGroupRows: KindRows = {
  print: cellsOf(printPodGroup),
};

export const priorityClassRows: KindRows = {
  print: cellsOf(printPriorityClass),
};

export const workloadRows: KindRows = {
  print: cellsOf((object) => [nameOf(object), ageOf(object)]),
};
