import { resourceAmounts, compareAmounts, quantity, validateAmount } from '#servers/core/validation/quantities.ts';
import {
  allowsOvercommit,
  isHugePages,
  validateContainerResourceName,
} from '#servers/core/validation/resource-names.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Label } from '#shared/apimachinery/validation/names.ts';
import { quantityValue } from '#shared/apimachinery/values/quantity.ts';

type NameRule = (name: string, field: Path) => FieldError[];

/** `resources` of a container. */
export function validateContainerResources(
  resources: JsonObject | undefined,
  claimNames: ReadonlySet<string>,
  field: Path,
): Steps<FieldError[]> {
  return validateRequirements(resources, validateContainerResourceName, claimNames, field);
}

/** Validates amounts and claims; `nameRule` checks the names of the resources. */
export function* validateRequirements(
  resources: JsonObject | undefined,
  nameRule: NameRule,
  claimNames: ReadonlySet<string>,
  field: Path,
): Steps<FieldError[]> {
  const limits = objectAt(resources, 'limits') ?? {};
  const requests = objectAt(resources, 'requests') ?? {};
  const errors = [
    ...(yield* errorsOfEach(resourceAmounts(limits), ([name, amount]) =>
      validateEntry(name, amount, nameRule, field.child('limits').key(name)),
    )),
    ...(yield* errorsOfEach(resourceAmounts(requests), ([name, amount]) => [
      ...validateEntry(name, amount, nameRule, field.child('requests').key(name)),
      ...againstLimit(name, amount, getKey(limits, name), field),
    ])),
  ];
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory'))
    errors.push(forbidden(field, 'HugePages require cpu or memory'));
  return [...errors, ...(yield* validateClaims(objectsAt(resources, 'claims'), claimNames, field.child('claims')))];
}

function validateEntry(name: string, amount: JsonValue, nameRule: NameRule, field: Path): FieldError[] {
  const errors = [...nameRule(name, field), ...validateAmount(name, amount, field)];
  return isHugePages(name) && !fillsPages(name, amount)
    ? [...errors, invalid(field, String(amount), `${String(amount)} is not positive integer multiple of ${name}`)]
    : errors;
}

function fillsPages(name: string, amount: JsonValue): boolean {
  try {
    const size = quantityValue(quantity(name.slice('hugepages-'.length)));
    return size > 0n && quantityValue(quantity(amount)) % size === 0n;
  } catch {
    return false;
  }
}

function againstLimit(name: string, amount: JsonValue, limit: JsonValue | undefined, field: Path): FieldError[] {
  if (limit === undefined)
    return allowsOvercommit(name)
      ? []
      : [required(field.child('limits'), 'Limit must be set for non overcommitable resources')];
  const order = compareAmounts(amount, limit);
  const at = field.child('requests');
  if (order !== 0 && !allowsOvercommit(name))
    return [invalid(at, String(amount), `must be equal to ${name} limit of ${String(limit)}`)];
  return order > 0
    ? [invalid(at, String(amount), `must be less than or equal to ${name} limit of ${String(limit)}`)]
    : [];
}

function validateClaims(claims: readonly JsonObject[], known: ReadonlySet<string>, field: Path): Steps<FieldError[]> {
  const seen = new Set<string>();
  /** Names of claims that an earlier item named together with a request. */
  const withRequest = new Set<string>();
  return errorsOfEach(claims, (claim, index) => {
    const name = stringAt(claim, 'name');
    const request = stringAt(claim, 'request');
    const at = field.index(index);
    if (name === '') return [required(at, '')];
    const key = request === '' ? name : `${name}/${request}`;
    if (seen.has(name)) return [duplicate(at, name), ...unknownClaim(name, known, at)];
    const overlaps = seen.has(key) || (request === '' && withRequest.has(name));
    seen.add(key);
    if (request !== '') withRequest.add(name);
    else if (name.includes('/')) withRequest.add(name.slice(0, name.indexOf('/')));
    return [
      ...(request === '' ? [] : messages(isDNS1123Label(request), at.child('request'), request)),
      ...(overlaps ? [duplicate(at, key)] : []),
      ...unknownClaim(name, known, at),
    ];
  });
}

/** The texts of lists of names. Thousands of errors may show the same list. */
const texts = new WeakMap<ReadonlySet<string>, string>();

function listed(names: ReadonlySet<string>): string {
  const known = texts.get(names);
  if (known !== undefined) return known;
  const text = names.size === 0 ? ' which is empty' : `: ${[...names].sort().join(', ')}`;
  texts.set(names, text);
  return text;
}

function unknownClaim(name: string, known: ReadonlySet<string>, field: Path): FieldError[] {
  if (known.has(name)) return [];
  return [{ ...notFound(field, name), detail: `must be one of the names in pod.spec.resourceClaims${listed(known)}` }];
}
