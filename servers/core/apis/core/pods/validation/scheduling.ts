import { errorsOfEach } from '#servers/core/validation/errors-of-each.ts';
import { givenOneOf, messages, optionalOneOf } from '#servers/core/validation/field-rules.ts';
import { validateLabelSelector } from '#servers/core/validation/label-selector.ts';
import { validateNodeSelector, validateNodeSelectorTerm } from '#servers/core/validation/node-selector.ts';
import { plainText } from '#shared/apimachinery/errors/field-error-type.ts';
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
import { int64At, numberAt, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { isLabelValue, isQualifiedName, nameIsDNSLabel } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { withNamedString } from '#shared/registry/named-strings.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** @param compares whether tolerations may compare taints as numbers (KEP-5471) */
export function validateTolerations(
  tolerations: readonly JsonObject[],
  compares: boolean,
  field: Path,
): Steps<FieldError[]> {
  return errorsOfEach(tolerations, (toleration, index) => validateToleration(toleration, compares, field.index(index)));
}

function validateToleration(toleration: JsonObject, compares: boolean, field: Path): FieldError[] {
  const [key = '', operator = '', effect = ''] = ['key', 'operator', 'effect'].map((name) =>
    stringAt(toleration, name),
  );
  const errors = key === '' ? [] : messages(isQualifiedName(key), field.child('key'), key);
  if (key === '' && operator !== 'Exists') {
    errors.push(
      invalid(
        field.child('operator'),
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    );
  }
  if (int64At(toleration, 'tolerationSeconds') !== undefined && effect !== 'NoExecute')
    errors.push(invalid(field.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  errors.push(...validateTolerationOperator(operator, stringAt(toleration, 'value'), compares, field));
  return [...errors, ...optionalOneOf(effect, effects, field.child('effect'))];
}

function validateTolerationOperator(
  operator: string,
  value: string,
  compares: boolean,
  toleration: Path,
): FieldError[] {
  const field = toleration.child('operator');
  switch (operator) {
    case '':
    case 'Equal': {
      const texts = isLabelValue(value);
      return texts.length === 0 ? [] : [invalid(field, plainText(value), texts.join(';'))];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(field, plainText(value), "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      return compares
        ? validateInteger(value, toleration.child('value'))
        : [notSupported(field, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(field, operator, ['Equal', 'Exists'])];
  }
}

/** Validates a 64-bit integer without a plus sign or leading zeros. */
function validateInteger(value: string, field: Path): FieldError[] {
  const isNumber = /^[+-]?\d+$/.test(value);
  const fits = isNumber && BigInt.asIntN(64, BigInt(value.replace('+', ''))) === BigInt(value.replace('+', ''));
  return [
    ...(value === ''
      ? [invalid(field, value, 'must be non-empty')]
      : /^(0|-?[1-9]\d*)$/.test(value)
        ? []
        : [invalid(field, value, 'must be a valid decimal integer in canonical form')]),
    ...(fits
      ? []
      : [
          invalid(
            field,
            value,
            `strconv.ParseInt: parsing ${goQuote(value)}: ${isNumber ? 'value out of range' : 'invalid syntax'}`,
          ),
        ]),
  ];
}

/** `taints` of a node. */
export function validateTaints(taints: readonly JsonObject[], field: Path): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, index) => {
    const [key = '', value = '', effect = ''] = ['key', 'value', 'effect'].map((name) => stringAt(taint, name));
    const at = field.index(index);
    const errors = messages(isQualifiedName(key), at.child('key'), key);
    const texts = isLabelValue(value);
    if (texts.length > 0) errors.push(invalid(at.child('value'), value, texts.join(';')));
    errors.push(
      // For the taints of a node, the reference uses a path below the metadata.
      ...(effect === ''
        ? [required(at.child('effect'), '')]
        : optionalOneOf(effect, effects, at.child('effect')).map(withNamedString)),
    );
    const pair = `${effect}/${key}`;
    if (seen.has(pair))
      errors.push({
        ...duplicate(at, { Key: key, Value: value, Effect: effect, TimeAdded: taint['timeAdded'] ?? null }),
        detail: 'taints must be unique by key and effect pair',
      });
    seen.add(pair);
    return errors;
  });
}

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
