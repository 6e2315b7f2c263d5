import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import {
  parseFieldSelector,
  type FieldRequirement,
  type FieldSelector,
} from '#shared/apimachinery/selectors/fields.ts';
import { labelRequirement, type LabelRequirement } from '#shared/apimachinery/selectors/label-selector-parser.ts';
import { parseLabelSelector } from '#shared/apimachinery/selectors/labels.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

/** The terms that could be parsed. Faulty ones do not narrow the request. */
interface Reading<T> {
  readonly terms: readonly T[];
  readonly faulty: boolean;
}

/** The selectors of a review. */
export interface ReviewedSelectors {
  /** The field selector to which the question is narrowed. */
  readonly fields: FieldSelector | undefined;
  /** The same for labels. */
  readonly labels: readonly LabelRequirement[] | undefined;
  /** The errors for selectors that could not be parsed (pkg/registry/authorization/util BuildEvaluationError). */
  readonly faults: readonly string[];
}

const none: ReviewedSelectors = { fields: undefined, labels: undefined, faults: [] };

export function* readSelectors(resource: JsonObject | undefined): Steps<ReviewedSelectors> {
  const [fieldSelector, labelSelector] = [objectAt(resource, 'fieldSelector'), objectAt(resource, 'labelSelector')];
  if (fieldSelector === undefined && labelSelector === undefined) return none;
  const fields = yield* read(fieldSelector, parseFieldSelector, readField);
  const labels = yield* read(labelSelector, labelRequirements, readLabel);
  return {
    fields: fields.terms.length === 0 ? undefined : fields.terms,
    labels: labels.terms.length === 0 ? undefined : labels.terms,
    faults: [...faultOf('fieldSelector', fields), ...faultOf('labelSelector', labels)],
  };
}

function faultOf(name: string, { terms, faulty }: Reading<unknown>): readonly string[] {
  if (!faulty) return [];
  return [`spec.resourceAttributes.${name} ${terms.length > 0 ? 'partially ' : ''}ignored due to parse error`];
}

// A generator, as for labels: what it throws belongs to its steps.
// oxlint-disable-next-line eslint/require-yield
function* readField(requirement: JsonObject): Steps<FieldRequirement> {
  const operator = stringAt(requirement, 'operator');
  const [value, ...more] = stringsAt(requirement, 'values');
  if (value === undefined || more.length > 0 || (operator !== 'In' && operator !== 'NotIn'))
    throw new Error('fields are compared with one value');
  return { field: stringAt(requirement, 'key'), operator: operator === 'In' ? '=' : '!=', value };
}

const labelOperators: Readonly<Record<string, string>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

function* labelRequirements(text: string): Steps<readonly LabelRequirement[]> {
  return (yield* parseLabelSelector(text)).requirements;
}

function readLabel(requirement: JsonObject): Steps<LabelRequirement> {
  const values = stringsAt(requirement, 'values');
  return labelRequirement(
    stringAt(requirement, 'key'),
    getKey(labelOperators, stringAt(requirement, 'operator')) ?? '',
    values.length === 0 ? undefined : values,
  );
}

/** Parses a raw selector as a whole; requirements are parsed one by one, and faulty ones are skipped. */
function* read<T>(
  selector: JsonObject | undefined,
  parse: (text: string) => Steps<readonly T[]>,
  readOne: (requirement: JsonObject) => Steps<T>,
): Steps<Reading<T>> {
  const requirements = objectsAt(selector, 'requirements');
  const terms: T[] = [];
  if (requirements.length === 0) {
    const parsed = yield* attempt(parse(stringAt(selector, 'rawSelector')));
    return { terms: parsed ?? terms, faulty: parsed === undefined };
  }
  let faulty = false;
  for (const requirement of requirements) {
    const term = yield* attempt(readOne(requirement));
    if (term === undefined) faulty = true;
    else terms.push(term);
    if (sliceIsOver()) yield;
  }
  return { terms, faulty };
}

function* attempt<T>(work: Steps<T>): Steps<T | undefined> {
  try {
    return yield* work;
  } catch {
    return undefined;
  }
}
