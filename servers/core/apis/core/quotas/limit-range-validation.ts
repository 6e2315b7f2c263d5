import { compareAmounts, quantity } from '#servers/core/validation/quantities.ts';
import {
  allowsOvercommit,
  validateContainerResourceName,
  validateResourceName,
} from '#servers/core/validation/resource-names.ts';
import {
  duplicate,
  forbidden,
  invalid,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { quantityValue } from '#shared/apimachinery/values/quantity.ts';

const types = ['Pod', 'Container', 'PersistentVolumeClaim'];
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** LimitRanges (pkg/apis/core/validation, ValidateLimitRange). */
export function validateLimitRange(range: KubeObject): FieldError[] {
  const seen = new Set<string>();
  return objectsAt(range, 'spec', 'limits').flatMap((limit, index) => {
    const field = path('spec', 'limits').index(index);
    const type = stringAt(limit, 'type');
    const errors = validateType(type, field.child('type'));
    if (seen.has(type)) errors.push(duplicate(field.child('type'), type));
    seen.add(type);
    return [...errors, ...validateLists(limit, type, field), ...validateAmountsOf(limit, type, field)];
  });
}

function validateType(type: string, field: Path): FieldError[] {
  const errors = messages(isQualifiedName(type), field, type);
  return errors.length > 0 || type.includes('/') || types.includes(type)
    ? errors
    : [invalid(field, type, 'must be a standard limit type or fully qualified')];
}

function validateLists(limit: JsonObject, type: string, field: Path): FieldError[] {
  const nameRule = type === 'Pod' || type === 'Container' ? validateContainerResourceName : validateResourceName;
  const errors = lists.flatMap((list) => {
    const names = Object.keys(objectAt(limit, list) ?? {});
    if (type === 'Pod' && (list === 'default' || list === 'defaultRequest'))
      return names.length > 0 ? [forbidden(field.child(list), "may not be specified when `type` is 'Pod'")] : [];
    return names.flatMap((name) => nameRule(name, field.child(list).key(name)));
  });
  const bounded = ['min', 'max'].some((list) => objectAt(limit, list)?.['storage'] !== undefined);
  return type !== 'PersistentVolumeClaim' || bounded
    ? errors
    : [
        ...errors,
        required(
          field.child('limits'),
          'either minimum or maximum storage value is required, but neither was provided',
        ),
      ];
}

function validateAmountsOf(limit: JsonObject, type: string, field: Path): FieldError[] {
  const used = lists.filter((list) => type !== 'Pod' || (list !== 'default' && list !== 'defaultRequest'));
  const names = new Set(used.flatMap((list) => Object.keys(objectAt(limit, list) ?? {})));
  return [...names].flatMap((name) => {
    const at = (list: (typeof lists)[number]) =>
      used.includes(list) ? getKey(objectAt(limit, list) ?? {}, name) : undefined;
    return [
      ...validateOrder(name, at, field),
      ...validateRatio(name, at('maxLimitRequestRatio'), at('min'), at('max'), field),
    ];
  });
}

type AmountOf = (list: (typeof lists)[number]) => JsonValue | undefined;

interface NamedAmount {
  readonly what: string;
  readonly amount: JsonValue | undefined;
}

function validateOrder(name: string, at: AmountOf, field: Path): FieldError[] {
  const [min, max, limit, request] = [at('min'), at('max'), at('default'), at('defaultRequest')];
  const above = (a: NamedAmount, b: NamedAmount, list: string, shown: JsonValue | undefined): FieldError[] =>
    a.amount !== undefined && b.amount !== undefined && compareAmounts(a.amount, b.amount) > 0
      ? [
          invalid(
            field.child(list).key(name),
            String(shown),
            `${a.what} value ${String(a.amount)} is greater than ${b.what} value ${String(b.amount)}`,
          ),
        ]
      : [];
  const minimum = { what: 'min', amount: min };
  const maximum = { what: 'max', amount: max };
  const defaultRequest = { what: 'default request', amount: request };
  const defaultLimit = { what: 'default limit', amount: limit };
  const unequal =
    !allowsOvercommit(name) && limit !== undefined && request !== undefined && compareAmounts(limit, request) !== 0;
  return [
    ...above(minimum, maximum, 'min', min),
    ...above(minimum, defaultRequest, 'defaultRequest', request),
    ...above(defaultRequest, maximum, 'defaultRequest', request),
    ...above(defaultRequest, defaultLimit, 'defaultRequest', request),
    ...above(minimum, { what: 'default', amount: limit }, 'default', min),
    ...above({ what: 'default', amount: limit }, maximum, 'default', max),
    ...(unequal
      ? [
          invalid(
            field.child('defaultRequest').key(name),
            String(request),
            `default value ${String(limit)} must equal to defaultRequest value ${String(request)} in ${name}`,
          ),
        ]
      : []),
  ];
}

function validateRatio(
  name: string,
  ratio: JsonValue | undefined,
  min: JsonValue | undefined,
  max: JsonValue | undefined,
  field: Path,
): FieldError[] {
  if (ratio === undefined) return [];
  const at = field.child('maxLimitRequestRatio').key(name);
  const errors =
    compareAmounts(ratio, '1') < 0 ? [invalid(at, String(ratio), `ratio ${String(ratio)} is less than 1`)] : [];
  if (min === undefined || max === undefined) return errors;
  const [given, most] = comparedRatios(ratio, min, max);
  return given > most
    ? [...errors, invalid(at, String(ratio), `ratio ${String(ratio)} is greater than max/min = ${most.toFixed(6)}`)]
    : errors;
}

/** Amounts below this are compared in thousandths (resource.MaxMilliValue). */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

/** The ratio, and the one of the bounds: quotients of int64, which larger amounts overflow. */
function comparedRatios(ratio: JsonValue, min: JsonValue, max: JsonValue): readonly [given: number, most: number] {
  const amounts = [ratio, min, max].map(quantity);
  const isSmall = amounts.every((amount) => quantityValue(amount) < maxMilliValue);
  const [given = 0, least = 0, most = 0] = amounts.map((amount) => Number(quantityValue(amount, isSmall ? -3 : 0)));
  return [isSmall ? given / 1000 : given, most / least];
}
