import { goForm } from '#servers/core/validation/go-form.ts';
import {
  invalid,
  required,
  tooLong,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { nonNegative } from '#shared/apimachinery/validation/field-rules.ts';
import { countIndexes, IndexesError } from './index-intervals.ts';

const maxRules = 20;
const maxIndexesLength = 64 * 1024;

/** Validates the success policy of an Indexed Job (pkg/apis/batch/validation). */
export function validateSuccessPolicy(spec: JsonObject, field: Path): FieldError[] {
  const policy = objectAt(spec, 'successPolicy');
  if (!policy) return [];
  if (stringAt(spec, 'completionMode') !== 'Indexed')
    return [invalid(field, goForm('io.k8s.api.batch.v1.SuccessPolicy', policy), 'requires indexed completion mode')];
  const rules = objectsAt(policy, 'rules');
  const at = field.child('rules');
  return [
    ...(rules.length === 0
      ? [required(at, 'at least one rules must be specified when the successPolicy is specified')]
      : []),
    ...(rules.length > maxRules ? [tooMany(at, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, index) => validateRule(rule, numberAt(spec, 'completions') ?? 0, at.index(index))),
  ];
}

function validateRule(rule: JsonObject, completions: number, field: Path): FieldError[] {
  const [count, indexes] = [numberAt(rule, 'succeededCount'), rule['succeededIndexes']];
  const errors: FieldError[] = [];
  if (count === undefined && indexes === undefined)
    errors.push(required(field, 'at least one of succeededCount or succeededIndexes must be specified'));
  const named =
    typeof indexes === 'string'
      ? nameIndexes(indexes, completions, field.child('succeededIndexes'), errors)
      : undefined;
  if (count === undefined) return errors;
  const at = field.child('succeededCount');
  errors.push(...nonNegative(count, at));
  if (count > completions)
    errors.push(
      invalid(at, count, `must be less than or equal to ${completions} (the number of specified completions)`),
    );
  if (named !== undefined && count > named)
    errors.push(
      invalid(
        at,
        count,
        `must be less than or equal to ${named} (the number of indexes in the specified succeededIndexes field)`,
      ),
    );
  return errors;
}

/** The number of indexes that a text names; 0 if it cannot be parsed. */
function nameIndexes(text: string, completions: number, field: Path, errors: FieldError[]): number {
  if (text.length > maxIndexesLength) errors.push(tooLong(field, '', maxIndexesLength));
  try {
    return countIndexes(text, completions);
  } catch (error) {
    if (!(error instanceof IndexesError)) throw error;
    errors.push(invalid(field, text, `error parsing succeededIndexes: ${error.message}`));
    return 0;
  }
}
