import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName, nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { ExpressionError } from '#shared/cel/uses/compile-expression.ts';
import { expressionErrors } from '#shared/cel/uses/expression-errors.ts';
import type { RuleCompilers } from './rule-compilers.ts';

// Rules that webhooks and policies have in common (pkg/apis/admissionregistration/validation).

export const failurePolicies = ['Fail', 'Ignore'];
export const matchPolicies = ['Equivalent', 'Exact'];
export const reinvocationPolicies = ['IfNeeded', 'Never'];
const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];
const maxMatchConditions = 64;

/** Refuses a value that is set, even to the empty string, and is not one of `known`. */
export function knownIfSet(object: JsonObject, key: string, known: readonly string[], field: Path): FieldError[] {
  const value = getKey(object, key);
  return typeof value !== 'string' || known.includes(value) ? [] : [notSupported(field.child(key), value, known)];
}

/** Operations and resources of one rule. */
export function validateRule(rule: JsonObject, field: Path): FieldError[] {
  const chosen = stringsAt(rule, 'operations');
  const versions = stringsAt(rule, 'apiVersions');
  const versionField = field.child('apiVersions');
  return [
    ...wildcardAlone(chosen, 'operations', field.child('operations')),
    ...chosen.flatMap((operation, index) =>
      operations.includes(operation)
        ? []
        : [notSupported(field.child('operations').index(index), operation, operations)],
    ),
    ...wildcardAlone(stringsAt(rule, 'apiGroups'), 'API groups', field.child('apiGroups')),
    ...wildcardAlone(versions, 'API versions', versionField),
    ...versions.flatMap((version, index) => (version === '' ? [required(versionField.index(index), '')] : [])),
    ...validateResources(stringsAt(rule, 'resources'), field.child('resources')),
    ...knownIfSet(rule, 'scope', scopes, field),
  ];
}

function wildcardAlone(values: readonly string[], what: string, field: Path): FieldError[] {
  if (values.length === 0) return [required(field, '')];
  return values.length > 1 && values.includes('*')
    ? [invalid(field, [...values], `if '*' is present, must not specify other ${what}`)]
    : [];
}

function validateResources(resources: readonly string[], field: Path): FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [required(field, '')] : [];
  /** Resources seen as `x/*`, and subresources seen as `*` with `/x`. */
  const [whole, everywhere] = [new Set<string>(), new Set<string>()];
  let plain = false;
  for (const [index, text] of resources.entries()) {
    const at = field.index(index);
    const slash = text.indexOf('/');
    if (text === '') errors.push(required(at, ''));
    else if (slash < 0) plain = text !== '*';
    else {
      const [resource, sub] = [text.slice(0, slash), text.slice(slash + 1)];
      if (whole.has(resource))
        errors.push(invalid(at, text, `if '${resource}/*' is present, must not specify ${text}`));
      if (everywhere.has(sub)) errors.push(invalid(at, text, `if '*/${sub}' is present, must not specify ${text}`));
      if (sub === '*') whole.add(resource);
      if (resource === '*') everywhere.add(sub);
    }
  }
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(invalid(field, [...resources], "if '*/*' is present, must not specify other resources"));
  if (plain && resources.includes('*'))
    errors.push(
      invalid(field, [...resources], "if '*' is present, must not specify other resources without subresources"),
    );
  return errors;
}

/** Validates `matchConstraints` and `matchResources`, whose policy and selectors the defaults have filled. */
export function validateMatchResources(match: JsonObject | undefined, field: Path): FieldError[] {
  if (!match) return [];
  const rules = (key: string): FieldError[] =>
    objectsAt(match, key).flatMap((rule, index) => validateNamedRule(rule, field.child(key).index(index)));
  return [
    ...knownIfSet(match, 'matchPolicy', matchPolicies, field),
    ...validateLabelSelector(objectAt(match, 'namespaceSelector'), field.child('namespaceSelector')),
    ...validateLabelSelector(objectAt(match, 'objectSelector'), field.child('objectSelector')),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  ];
}

function validateNamedRule(rule: JsonObject, field: Path): FieldError[] {
  const names = stringsAt(rule, 'resourceNames');
  const at = field.child('resourceNames');
  const repeated = repetitions(names);
  return [
    ...names.flatMap((name, index) => [
      ...messages(nameIsPathSegment(name, false), at.index(index), name),
      ...(repeated[index] === true ? [duplicate(at.index(index), name)] : []),
    ]),
    ...validateRule(rule, field),
  ];
}

/**
 * @param hasParams whether expressions may name `params`
 * @param known expressions of the stored object, which may use CEL features that new ones may not use yet
 */
export function* validateMatchConditions(
  compilers: RuleCompilers,
  conditions: readonly JsonObject[],
  field: Path,
  hasParams: boolean,
  known: ReadonlySet<string>,
): Steps<FieldError[]> {
  const names = conditions.map((condition) => stringAt(condition, 'name'));
  const repeated = repetitions(names);
  return [
    ...(conditions.length > maxMatchConditions ? [tooMany(field, conditions.length, maxMatchConditions)] : []),
    ...(yield* errorsOfEach(conditions, function* errorsOf(condition, index) {
      const name = names[index] ?? '';
      const at = field.index(index);
      return [
        ...(yield* validateCondition(
          compilers,
          stringAt(condition, 'expression').trim(),
          at.child('expression'),
          hasParams,
          known,
        )),
        ...(name === '' ? [required(at.child('name'), '')] : messages(isQualifiedName(name), at.child('name'), name)),
        ...(name !== '' && repeated[index] === true ? [duplicate(at.child('name'), name)] : []),
      ];
    })),
  ];
}

function* validateCondition(
  compilers: RuleCompilers,
  text: string,
  field: Path,
  hasParams: boolean,
  known: ReadonlySet<string>,
): Steps<FieldError[]> {
  if (text === '') return [required(field, '')];
  const compiled = yield* compilers
    .conditions()
    .compile(text, { params: hasParams, authorizer: true }, undefined, known.has(text));
  return compiled instanceof ExpressionError ? expressionErrors(field, text, compiled) : [];
}

/** The expressions of match conditions. */
export function conditionTexts(conditions: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(conditions.map((condition) => stringAt(condition, 'expression')));
}
