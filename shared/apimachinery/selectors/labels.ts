import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringMapAt, valueAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { compareUtf8, goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { LabelOperator, LabelRequirement } from './label-selector-parser.ts';
import { LabelSelectorParser, SelectorError, newLabelRequirement, parseInt64 } from './label-selector-parser.ts';

export type { LabelRequirement } from './label-selector-parser.ts';
export { SelectorError } from './label-selector-parser.ts';

/** A compiled label selector: requirements sorted by key, all of which must hold; `nothing` matches no object. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  readonly nothing: boolean;
}

/** Matches every object. */
export const EVERYTHING: LabelSelector = { requirements: [], nothing: false };
/** Matches no object. */
export const NOTHING: LabelSelector = { requirements: [], nothing: true };

function selectorOf(requirements: LabelRequirement[]): LabelSelector {
  return { requirements: requirements.sort((a, b) => compareUtf8(a.key, b.key)), nothing: false };
}

/**
 * Parses `a=b,c in (d,e),!f,g>1`, which may be long.
 * @param path shown in errors about keys and values; without it the reference prints `<nil>`
 * @throws SelectorError with the reference's text
 */
export function* parseLabelSelector(text: string, path?: Path): Steps<LabelSelector> {
  if (text === '') return EVERYTHING;
  const requirements = yield* new LabelSelectorParser(text, path).parse();
  return {
    requirements: yield* sortInSteps(requirements, (a, b) => compareUtf8(a.key, b.key)),
    nothing: false,
  };
}

const OBJECT_OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/**
 * Compiles a `metav1.LabelSelector` object (matchLabels, matchExpressions). An absent selector matches nothing, an
 * empty one everything.
 * @throws SelectorError with the reference's text
 */
export function labelSelectorAsSelector(selector: JsonObject | undefined): LabelSelector {
  if (selector === undefined) return NOTHING;
  const requirements: LabelRequirement[] = [];
  for (const [key, value] of stringMapAt(selector, 'matchLabels'))
    requirements.push(newLabelRequirement(key, '=', [value]));
  for (const expression of objectsAt(selector, 'matchExpressions')) {
    const name = stringAt(expression, 'operator');
    const operator = Object.hasOwn(OBJECT_OPERATORS, name) ? OBJECT_OPERATORS[name] : undefined;
    if (operator === undefined) throw new SelectorError(`${goQuote(name)} is not a valid label selector operator`);
    const values = valueAt(expression, 'values');
    const list = Array.isArray(values) && values.length > 0 ? values.map(String) : undefined;
    requirements.push(newLabelRequirement(stringAt(expression, 'key'), operator, list));
  }
  return selectorOf(requirements);
}

/** The selector that requires exactly these labels; keys and values are not checked. */
export function selectorFromSet(labels: Readonly<Record<string, string>> | undefined): LabelSelector {
  const entries = Object.entries(labels ?? {});
  return selectorOf(entries.map(([key, value]) => ({ key, operator: '=', values: [value] })));
}

/** True if an object with these labels is selected. */
export function matchesLabels(selector: LabelSelector, labels: Readonly<Record<string, string>> | undefined): boolean {
  if (selector.nothing) return false;
  if (selector.requirements.length > fewRequirements) return matchesIndex(indexOf(selector), labels ?? {});
  for (const requirement of selector.requirements)
    if (!holds(requirement, getKey(labels, requirement.key))) return false;
  return true;
}

/** Up to these numbers, the requirements of a selector and the values of a requirement are checked one by one. */
const fewRequirements = 16;
const fewValues = 16;

/** Index of many requirements: matching an object costs in proportion to its labels, not to the requirements. */
interface RequirementIndex {
  readonly neededKeys: ReadonlySet<string>;
  readonly byKey: ReadonlyMap<string, readonly LabelRequirement[]>;
}

const indexes = new WeakMap<LabelSelector, RequirementIndex>();

function indexOf(selector: LabelSelector): RequirementIndex {
  let index = indexes.get(selector);
  if (index !== undefined) return index;
  const neededKeys = new Set<string>();
  const byKey = new Map<string, LabelRequirement[]>();
  for (const requirement of selector.requirements) {
    const { key } = requirement;
    if (!holds(requirement, undefined)) neededKeys.add(key);
    const others = byKey.get(key);
    if (others === undefined) byKey.set(key, [requirement]);
    else others.push(requirement);
  }
  index = { neededKeys, byKey };
  indexes.set(selector, index);
  return index;
}

function matchesIndex({ neededKeys, byKey }: RequirementIndex, labels: Readonly<Record<string, string>>): boolean {
  // Stops at the first missing key: at most one key more is checked than the object has labels.
  for (const key of neededKeys) if (!Object.hasOwn(labels, key)) return false;
  for (const key of Object.keys(labels)) {
    const requirements = byKey.get(key);
    if (requirements?.every((requirement) => holds(requirement, getKey(labels, key))) === false) return false;
  }
  return true;
}

const valueSets = new WeakMap<LabelRequirement, ReadonlySet<string>>();

function hasValue(requirement: LabelRequirement, value: string): boolean {
  if (requirement.values.length <= fewValues) return requirement.values.includes(value);
  let set = valueSets.get(requirement);
  if (set === undefined) valueSets.set(requirement, (set = new Set(requirement.values)));
  return set.has(value);
}

function holds(requirement: LabelRequirement, value: string | undefined): boolean {
  switch (requirement.operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && hasValue(requirement, value);
    case '!=':
    case 'notin':
      return value === undefined || !hasValue(requirement, value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
    case 'lt':
      return value !== undefined && comparesAs(requirement, value);
  }
}

function comparesAs(requirement: LabelRequirement, value: string): boolean {
  const left = parseInt64(value);
  const right = parseInt64(requirement.values[0] ?? '');
  if (left === undefined || right === undefined) return false;
  return requirement.operator === 'gt' ? left > right : left < right;
}

/** True if the selector selects everything. */
export function selectsEverything(selector: LabelSelector): boolean {
  return !selector.nothing && selector.requirements.length === 0;
}

/** Canonical text: sorted keys and values, the spelling of the reference. Empty for everything and for nothing. */
export function formatLabelSelector(selector: LabelSelector): string {
  return selector.requirements.map((requirement) => formatRequirement(requirement)).join(',');
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  const list = [...values].sort(compareUtf8).join(',');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    case 'gt':
      return `${key}>${list}`;
    case 'lt':
      return `${key}<${list}`;
    default:
      return `${key}${operator}${list}`;
  }
}
