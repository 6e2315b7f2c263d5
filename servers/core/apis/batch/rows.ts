import { JsonProjection } from '#shared/apimachinery/json/json-projection.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { booleanAt, numberAt, objectsAt, stringAt, valueAt } from '#shared/apimachinery/object.ts';
import { timeToMs, zeroTimeMs } from '#shared/apimachinery/values/time.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import {
  NONE,
  UNSET,
  ageOf,
  cellsOf,
  conditionOf,
  containerCells,
  count,
  formatSelector,
  isDeleted,
  nameOf,
  since,
  textOr,
} from '#shared/serializer/table/cells.ts';
import { humanDuration } from '#shared/serializer/table/human-duration.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import { shownMetadata, shownTemplate } from '#shared/serializer/table/shown-fields.ts';

function printJob(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    jobStatus(object),
    jobCompletions(object),
    jobDuration(object),
    ageOf(object),
    ...containerCells(object, 'spec', 'template', 'spec'),
    formatSelector(object, 'spec', 'selector'),
  ];
}

function jobStatus(job: JsonObject): string {
  const holds = (type: string): boolean => stringAt(conditionOf(job, type), 'status') === 'True';
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (isDeleted(job)) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => holds(type)) ?? 'Running';
}

function jobCompletions(job: JsonObject): string {
  const succeeded = count(job, 'status', 'succeeded');
  const wanted = numberAt(job, 'spec', 'completions');
  if (wanted !== undefined) return `${succeeded}/${wanted}`;
  const parallelism = count(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: JsonObject): Cell {
  const start = msOf(valueAt(job, 'status', 'startTime'));
  if (start === undefined) return '';
  const end = msOf(valueAt(job, 'status', 'completionTime'));
  return end === undefined ? { sinceMs: start, before: '', after: '' } : humanDuration(end - start);
}

/** Milliseconds of a time of the status; null is Go's zero time. */
function msOf(time: JsonValue | undefined): number | undefined {
  return time === null ? zeroTimeMs : timeToMs(typeof time === 'string' ? time : undefined);
}

function printCronJob(object: JsonObject): Cell[] {
  const last = stringAt(object, 'status', 'lastScheduleTime');
  const suspend = booleanAt(object, 'spec', 'suspend');
  return [
    nameOf(object),
    stringAt(object, 'spec', 'schedule'),
    textOr(NONE, object, 'spec', 'timeZone'),
    suspend === undefined ? UNSET : suspend ? 'True' : 'False',
    objectsAt(object, 'status', 'active').length,
    last === '' ? NONE : since(last),
    ageOf(object),
    ...containerCells(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec'),
    formatSelector(object, 'spec', 'jobTemplate', 'spec', 'selector'),
  ];
}

export const cronJobRows: KindRows = {
  print: cellsOf(printCronJob),
};

export const jobRows: KindRows = {
  print: cellsOf(printJob),
  reads: new JsonProjection({
    metadata: shownMetadata,
    spec: { completions: 'all', parallelism: 'all', selector: 'all', template: shownTemplate },
    status: 'all',
  }),
};
