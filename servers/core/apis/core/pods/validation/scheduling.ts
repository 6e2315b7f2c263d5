import { validateNodeSelector, validateNodeSelectorTerm } from '#servers/core/validation/node-selector.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { givenOneOf, messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName, nameIsDNSLabel } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';

export function validateAffinity(affinity: JsonObject | undefined, field: Path): FieldError[] {
  const node = objectAt(affinity, 'nodeAffinity');
  return [
    ...(node ? validateNodeAffinity(node, field.child('nodeAffinity')) : []),
    ...['podAffinity', 'podAntiAffinity'].flatMap((name) =>
      validatePodAffinity(objectAt(affinity, name), field.child(name)),
    ),
  ];
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

function validateNodeAffinity(affinity: JsonObject, field: Path): FieldError[] {
  const selector = objectAt(affinity, requiredTerms);
  return [
    ...(selector ? validateNodeSelector(selector, true, field.child(requiredTerms)) : []),
    ...objectsAt(affinity, preferredTerms).flatMap((term, index) => {
      const at = field.child(preferredTerms).index(index);
      return [
        ...validateWeight(term, at),
        ...validateNodeSelectorTerm(objectAt(term, 'preference') ?? {}, false, at.child('preference')),
      ];
    }),
  ];
}

function validatePodAffinity(affinity: JsonObject | undefined, field: Path): FieldError[] {
  return [
    ...objectsAt(affinity, requiredTerms).flatMap((term, index) =>
      validatePodAffinityTerm(term, field.child(requiredTerms).index(index)),
    ),
    ...objectsAt(affinity, preferredTerms).flatMap((term, index) => {
      const at = field.child(preferredTerms).index(index);
      return [
        ...validateWeight(term, at),
        ...validatePodAffinityTerm(objectAt(term, 'podAffinityTerm') ?? {}, at.child('podAffinityTerm')),
      ];
    }),
  ];
}

function validateWeight(term: JsonObject, field: Path): FieldError[] {
  const weight = numberAt(term, 'weight') ?? 0;
  return weight <= 0 || weight > 100 ? [invalid(field.child('weight'), weight, 'must be in the range 1-100')] : [];
}

function validatePodAffinityTerm(term: JsonObject, field: Path): FieldError[] {
  const key = stringAt(term, 'topologyKey');
  return [
    ...validateLabelSelector(objectAt(term, 'labelSelector'), field.child('labelSelector')),
    ...validateLabelSelector(objectAt(term, 'namespaceSelector'), field.child('namespaceSelector')),
    ...stringsAt(term, 'namespaces').flatMap((name) =>
      messages(nameIsDNSLabel(name, false), field.child('namespace'), name),
    ),
    ...validateLabelKeys(term, field),
    ...(key === '' ? [required(field.child('topologyKey'), 'can not be empty')] : []),
    ...messages(isQualifiedName(key), field.child('topologyKey'), key),
  ];
}

/**
 * Validates `matchLabelKeys` and `mismatchLabelKeys`: no key may be in both lists or in the selector itself (KEP-3633).
 */
function validateLabelKeys(term: JsonObject, field: Path): FieldError[] {
  const selector = objectAt(term, 'labelSelector');
  const [match, mismatch] = [stringsAt(term, 'matchLabelKeys'), stringsAt(term, 'mismatchLabelKeys')];
  const names = (['matchLabelKeys', 'mismatchLabelKeys'] as const).flatMap((list) => {
    const keys = stringsAt(term, list);
    if (keys.length > 0 && !selector)
      return [forbidden(field.child(list), 'must not be specified when labelSelector is not set')];
    return keys.flatMap((key, index) => messages(isQualifiedName(key), field.child(list).index(index), key));
  });
  // A key may be once in the selector's expressions: the server added that expression when it merged the key.
  const seen = new Set(Object.keys(objectAt(selector, 'matchLabels') ?? {}));
  const lastOf = new Map(match.map((key, index) => [key, index]));
  const mismatched = new Set(mismatch);
  const twice = objectsAt(selector, 'matchExpressions').flatMap((expression) => {
    const key = stringAt(expression, 'key');
    const known = seen.has(key);
    seen.add(key);
    const last = lastOf.get(key);
    return known && last !== undefined
      ? [invalid(field.index(last), key, 'exists in both matchLabelKeys and labelSelector')]
      : [];
  });
  const both = match.flatMap((key, index) =>
    mismatched.has(key)
      ? [
          invalid(
            field.child('matchLabelKeys').index(index),
            key,
            'exists in both matchLabelKeys and mismatchLabelKeys',
          ),
        ]
      : [],
  );
  return [...names, ...twice, ...both];
}

/** @param merged whether label keys become part of the selector */
export function validateSpreadConstraints(
  constraints: readonly JsonObject[],
  merged: boolean,
  field: Path,
): FieldError[] {
  const pairOf = (constraint: JsonObject): string =>
    JSON.stringify([stringAt(constraint, 'topologyKey'), stringAt(constraint, 'whenUnsatisfiable')]);
  // Of equal constraints every one but the last gets the error, as in the reference.
  const isRepeated = repetitions(constraints.map(pairOf).toReversed()).toReversed();
  return constraints.flatMap((constraint, index) =>
    validateSpreadConstraint(constraint, isRepeated[index] === true, merged, field.index(index)),
  );
}

function validateSpreadConstraint(
  constraint: JsonObject,
  isRepeated: boolean,
  merged: boolean,
  field: Path,
): FieldError[] {
  const [key, action, skew, domains] = [
    stringAt(constraint, 'topologyKey'),
    stringAt(constraint, 'whenUnsatisfiable'),
    numberAt(constraint, 'maxSkew') ?? 0,
    numberAt(constraint, 'minDomains'),
  ];
  const actions = ['DoNotSchedule', 'ScheduleAnyway'];
  const errors: FieldError[] = [];
  if (skew <= 0) errors.push(invalid(field.child('maxSkew'), skew, 'must be greater than zero'));
  if (key === '') errors.push(required(field.child('topologyKey'), 'can not be empty'));
  if (!actions.includes(action)) errors.push(notSupported(field.child('whenUnsatisfiable'), action, actions));
  if (isRepeated) {
    errors.push(duplicate(field.child('{topologyKey, whenUnsatisfiable}'), `{${key}, ${action}}`));
  }
  if (domains !== undefined && domains <= 0)
    errors.push(invalid(field.child('minDomains'), domains, 'must be greater than zero'));
  if (domains !== undefined && action !== 'DoNotSchedule')
    errors.push(
      invalid(
        field.child('minDomains'),
        domains,
        `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
      ),
    );
  return [
    ...errors,
    ...['nodeAffinityPolicy', 'nodeTaintsPolicy'].flatMap((name) =>
      givenOneOf(getKey(constraint, name), ['Honor', 'Ignore'], field.child(name)),
    ),
    ...(merged ? validateLabelKeys(constraint, field) : validateSpreadKeys(constraint, field.child('matchLabelKeys'))),
    ...validateLabelSelector(objectAt(constraint, 'labelSelector'), field.child('labelSelector')),
  ];
}

/** Validates label keys that are not merged into the selector: none may be in the selector. */
function validateSpreadKeys(constraint: JsonObject, field: Path): FieldError[] {
  const keys = stringsAt(constraint, 'matchLabelKeys');
  const selector = objectAt(constraint, 'labelSelector');
  const selected = new Set([
    ...Object.keys(objectAt(selector, 'matchLabels') ?? {}),
    ...objectsAt(selector, 'matchExpressions').map((expression) => stringAt(expression, 'key')),
  ]);
  return [
    ...(keys.length > 0 && selector === undefined
      ? [forbidden(field, 'must not be specified when labelSelector is not set')]
      : []),
    ...keys.flatMap((key, index) => [
      ...messages(isQualifiedName(key), field.index(index), key),
      ...(selected.has(key)
        ? [invalid(field.index(index), key, 'exists in both matchLabelKeys and labelSelector')]
        : []),
    ]),
  ];
}
