import { invalid, path, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { numberAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { withNamedString } from '#shared/registry/named-strings.ts';
import { countIndexes, firstCommonIndex, IndexesError } from './index-intervals.ts';

// Which indexes of a Job completed or failed (pkg/apis/batch/validation validateJobStatus).

const status = path('status');

function indexesErrors(text: string, completions: number | undefined, field: Path): FieldError[] {
  if (completions === undefined) return [];
  try {
    countIndexes(text, completions);
    return [];
  } catch (error) {
    if (!(error instanceof IndexesError)) throw error;
    return [invalid(field, text, `error parsing ${field.toString().replace('status.', '')}: ${error.message}`)];
  }
}

export function validateCompletedIndexes(job: KubeObject, old: KubeObject): FieldError[] {
  const [field, text] = [status.child('completedIndexes'), stringAt(job, 'status', 'completedIndexes')];
  if (text === stringAt(old, 'status', 'completedIndexes')) return [];
  const indexed = stringAt(job, 'spec', 'completionMode') === 'Indexed';
  return [
    ...indexesErrors(text, numberAt(job, 'spec', 'completions'), field),
    ...(text === '' || indexed
      ? []
      : [invalid(field, text, 'cannot set non-empty completedIndexes when non-indexed completion mode')]),
  ];
}

export function validateFailedIndexes(job: KubeObject, old: KubeObject): FieldError[] {
  const [field, failed, completions] = [
    status.child('failedIndexes'),
    textOf(job, 'failedIndexes'),
    numberAt(job, 'spec', 'completions'),
  ];
  const changed = failed !== textOf(old, 'failedIndexes');
  const limited = numberAt(job, 'spec', 'backoffLimitPerIndex') !== undefined;
  if (failed === undefined) return [];
  const completed = stringAt(job, 'status', 'completedIndexes');
  const comparesBoth =
    (changed || completed !== stringAt(old, 'status', 'completedIndexes')) && completions !== undefined;
  const common = comparesBoth ? firstCommonIndex(completed, failed, completions) : undefined;
  return [
    ...(changed && limited ? indexesErrors(failed, completions, field).map(withNamedString) : []),
    ...(changed && !limited
      ? [invalid(field, failed, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null')]
      : []),
    ...(common === undefined
      ? []
      : [invalid(field, failed, `failedIndexes and completedIndexes overlap at index: ${common}`)]),
  ];
}

function textOf(job: KubeObject, name: string): string | undefined {
  const body = job['status'];
  const value = body !== null && typeof body === 'object' && !Array.isArray(body) ? getKey(body, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}
