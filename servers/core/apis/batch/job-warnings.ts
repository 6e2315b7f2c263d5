import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, stringAt } from '#shared/apimachinery/object.ts';

const manyCompletions = 100_000;
const muchParallelism = 10_000;

/**
 * Warns about an Indexed Job that is too large for the list of indexes in its status (pkg/api/job/warnings.go).
 */
export function jobSpecWarnings(spec: JsonObject | undefined, field: Path): string[] {
  const isLarge =
    (numberAt(spec, 'completions') ?? 0) > manyCompletions && (numberAt(spec, 'parallelism') ?? 0) > muchParallelism;
  if (!isLarge || stringAt(spec, 'completionMode') !== 'Indexed') return [];
  const text =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [`${field.toString()}: ${text}`];
}
