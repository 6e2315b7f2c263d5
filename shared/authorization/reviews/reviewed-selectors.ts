import { parseFieldSelector, type FieldRequirement, type FieldSelector } from '../../apimachinery/fields.ts';
import { getKey } from '../../apimachinery/json.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import { newLabelRequirement } from '../../apimachinery/label-selector-parser.ts';
import { parseLabelSelector } from '../../apimachinery/labels.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '../../apimachinery/object.ts';

/** Terms that could be read; of the others the question is not narrower. */
interface Reading<T> {
  readonly terms: readonly T[];
  readonly faulty: boolean;
}

/** The fields that a review asks about. */
export function reviewedFields(resource: JsonObject): FieldSelector | undefined {
  const { terms } = readFields(objectAt(resource, 'fieldSelector'));
  return terms.length === 0 ? undefined : terms;
}

/** What is said of selectors that could not be read (pkg/registry/authorization/util BuildEvaluationError). */
export function selectorFaults(spec: JsonObject | undefined): readonly string[] {
  const resource = objectAt(spec, 'resourceAttributes');
  const readings = {
    fieldSelector: readFields(objectAt(resource, 'fieldSelector')),
    labelSelector: readLabels(objectAt(resource, 'labelSelector')),
  };
  return Object.entries(readings).flatMap(([name, { terms, faulty }]: [string, Reading<unknown>]) =>
    faulty ? [`spec.resourceAttributes.${name} ${terms.length > 0 ? 'partially ' : ''}ignored due to parse error`] : [],
  );
}

function readFields(selector: JsonObject | undefined): Reading<FieldRequirement> {
  return read(selector, parseFieldSelector, (requirement) => {
    const operator = stringAt(requirement, 'operator');
    const [value, ...more] = stringsAt(requirement, 'values');
    if (value === undefined || more.length > 0 || (operator !== 'In' && operator !== 'NotIn'))
      throw new Error('fields are compared with one value');
    return { field: stringAt(requirement, 'key'), operator: operator === 'In' ? '=' : '!=', value };
  });
}

const labelOperators: Readonly<Record<string, string>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

function readLabels(selector: JsonObject | undefined): Reading<unknown> {
  return read<unknown>(
    selector,
    (text) => parseLabelSelector(text).requirements,
    (requirement) => {
      const values = stringsAt(requirement, 'values');
      return newLabelRequirement(
        stringAt(requirement, 'key'),
        getKey(labelOperators, stringAt(requirement, 'operator')) ?? '',
        values.length === 0 ? undefined : values,
      );
    },
  );
}

/** A text is read whole or not at all, requirements one by one. */
function read<T>(
  selector: JsonObject | undefined,
  parse: (text: string) => readonly T[],
  readOne: (requirement: JsonObject) => T,
): Reading<T> {
  const requirements = objectsAt(selector, 'requirements');
  if (requirements.length === 0) return attempt(() => parse(stringAt(selector, 'rawSelector')));
  const readings = requirements.map((requirement) => attempt(() => [readOne(requirement)]));
  return { terms: readings.flatMap(({ terms }) => terms), faulty: readings.some(({ faulty }) => faulty) };
}

function attempt<T>(work: () => readonly T[]): Reading<T> {
  try {
    return { terms: work(), faulty: false };
  } catch {
    return { terms: [], faulty: true };
  }
}
