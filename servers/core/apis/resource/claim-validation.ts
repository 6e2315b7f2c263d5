import type { Gates } from '#servers/core/gates/gates.ts';
import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import type { ExpressionCompilers } from '#servers/core/validation/expressions.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  tooLong,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { exactTextOf } from '#shared/apimachinery/json/exact-texts.ts';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isQualifiedName,
} from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { ExpressionError } from '#shared/cel/uses/compile-expression.ts';
import { maxSelectorCost } from '#shared/cel/uses/devices.ts';
import { expressionErrors } from '#shared/cel/uses/expression-errors.ts';
import { rawText } from '#shared/serializer/json/loose.ts';
import { validateFullAttributeName } from './attribute-names.ts';
import {
  maxAlternatives,
  maxExpressionBytes,
  maxItems,
  SelectorCompilations,
  withinLimit,
} from './selector-compilations.ts';

// Claims, their templates and device classes (pkg/apis/resource/validation).

const maxRawBytes = 10 * 1024;

/** Requests by name, with the names of their alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export function validateDeviceClaimSpec(
  spec: JsonObject | undefined,
  gates: Gates,
  field: Path,
  selectors: SelectorCompilations,
): FieldError[] {
  const devices = objectAt(spec, 'devices') ?? {};
  const at = field.child('devices');
  const requests = objectsAt(devices, 'requests');
  const names = requestNamesOf(requests);
  return [
    ...limited(requests, maxItems, at.child('requests'), (item, place) => validateRequest(item, place, selectors)),
    ...uniqueNames(requests, at.child('requests')),
    ...limited(objectsAt(devices, 'constraints'), maxItems, at.child('constraints'), (item, place) =>
      validateConstraint(item, names, gates, place),
    ),
    ...limited(objectsAt(devices, 'config'), maxItems, at.child('config'), (item, place) => [
      ...validateRequestRefs(stringsAt(item, 'requests'), names, place.child('requests')),
      ...validateDeviceConfig(item, place),
    ]),
  ];
}

export function requestNamesOf(requests: readonly JsonObject[]): RequestNames {
  return new Map(
    requests.map((request) => [
      stringAt(request, 'name'),
      new Set(objectsAt(request, 'firstAvailable').map((item) => stringAt(item, 'name'))),
    ]),
  );
}

export function* validateDeviceClass(
  deviceClass: KubeObject,
  expressions: ExpressionCompilers,
  old?: KubeObject,
): Steps<FieldError[]> {
  const spec = objectAt(deviceClass, 'spec') ?? {};
  const selectors = new SelectorCompilations(
    expressions,
    old !== undefined && deepEqual(spec['selectors'], objectAt(old, 'spec')?.['selectors']),
  );
  yield* selectors.prepare(withinLimit(objectsAt(spec, 'selectors')));
  const field = path('spec');
  return [
    ...validateSelectors(objectsAt(spec, 'selectors'), field.child('selectors'), selectors),
    ...limited(objectsAt(spec, 'config'), maxItems, field.child('config'), validateDeviceConfig),
  ];
}

/** Validates a list: at most `max` items, and each item. */
export function limited(
  items: readonly JsonObject[],
  max: number,
  field: Path,
  validate: (item: JsonObject, field: Path) => FieldError[],
): FieldError[] {
  return items.length > max
    ? [tooMany(field, items.length, max)]
    : items.flatMap((item, index) => validate(item, field.index(index)));
}

function uniqueNames(items: readonly JsonObject[], field: Path): FieldError[] {
  const names = items.map((item) => stringAt(item, 'name'));
  const repeated = repetitions(names);
  return names.flatMap((name, index) => (repeated[index] === true ? [duplicate(field.index(index), name)] : []));
}

function validateName(name: string, field: Path): FieldError[] {
  return messages(isDNS1123Label(name), field, name);
}

function validateRequest(request: JsonObject, field: Path, selectors: SelectorCompilations): FieldError[] {
  const errors = validateName(stringAt(request, 'name'), field.child('name'));
  const [exactly, alternatives] = [objectAt(request, 'exactly'), objectsAt(request, 'firstAvailable')];
  if (!exactly && alternatives.length === 0)
    return [...errors, required(field, 'exactly one of `exactly` or `firstAvailable` is required')];
  if (exactly && alternatives.length > 0)
    return [
      ...errors,
      invalid(field, null, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'),
    ];
  if (exactly) return [...errors, ...validateDevices(exactly, field.child('exactly'), selectors)];
  const at = field.child('firstAvailable');
  return [
    ...errors,
    ...limited(alternatives, maxAlternatives, at, (item, place) => [
      ...validateName(stringAt(item, 'name'), place.child('name')),
      ...validateDevices(item, place, selectors),
    ]),
    ...uniqueNames(alternatives, at),
  ];
}

/** Validates which devices a request selects, and how many. */
function validateDevices(request: JsonObject, field: Path, selectors: SelectorCompilations): FieldError[] {
  const [name, mode, count] = [
    stringAt(request, 'deviceClassName'),
    stringAt(request, 'allocationMode'),
    int64At(request, 'count') ?? 0,
  ];
  const at = field.child('deviceClassName');
  const errors = [
    ...(name === '' ? [required(at, '')] : messages(isDNS1123Subdomain(name), at, name)),
    ...validateSelectors(objectsAt(request, 'selectors'), field.child('selectors'), selectors),
  ];
  if (mode === 'All')
    errors.push(
      ...(count === 0
        ? []
        : [invalid(field.child('count'), count, "must not be specified when allocationMode is 'All'")]),
    );
  else if (mode === 'ExactCount')
    errors.push(...(count > 0 ? [] : [invalid(field.child('count'), count, 'must be greater than zero')]));
  else errors.push(notSupported(field.child('allocationMode'), mode, ['All', 'ExactCount']));
  return [
    ...errors,
    ...objectsAt(request, 'tolerations').flatMap((item, index) =>
      validateToleration(item, field.child('tolerations').index(index)),
    ),
  ];
}

function validateToleration(toleration: JsonObject, field: Path): FieldError[] {
  const [key, operator, value, effect] = ['key', 'operator', 'value', 'effect'].map((name) =>
    stringAt(toleration, name),
  ) as [string, string, string, string];
  const effects = ['NoExecute', 'NoSchedule', 'None'];
  const errors = key === '' ? [] : messages(isQualifiedName(key), field.child('key'), key);
  if (operator === 'Exists')
    errors.push(...(value === '' ? [] : [invalid(field.child('value'), value, 'must be empty for operator `Exists`')]));
  else if (operator === 'Equal') errors.push(...messages(isLabelValue(value), field.child('value'), value));
  else
    errors.push(
      operator === ''
        ? required(field.child('operator'), '')
        : notSupported(field.child('operator'), operator, ['Equal', 'Exists']),
    );
  return effect === '' || effects.includes(effect)
    ? errors
    : [...errors, notSupported(field.child('effect'), effect, effects)];
}

function validateSelectors(items: readonly JsonObject[], field: Path, selectors: SelectorCompilations): FieldError[] {
  return limited(items, maxItems, field, (selector, at) => {
    const cel = objectAt(selector, 'cel');
    if (!cel) return [required(at.child('cel'), '')];
    return validateExpression(stringAt(cel, 'expression'), at.child('cel', 'expression'), selectors);
  });
}

function validateExpression(text: string, field: Path, selectors: SelectorCompilations): FieldError[] {
  if (Buffer.byteLength(text) > maxExpressionBytes) return [tooLong(field, '', maxExpressionBytes)];
  const compiled = selectors.of(text);
  if (compiled instanceof ExpressionError) return expressionErrors(field, text, compiled);
  return compiled.maxCost > maxSelectorCost ? [forbidden(field, 'too complex, exceeds cost limit')] : [];
}

function validateConstraint(constraint: JsonObject, names: RequestNames, gates: Gates, field: Path): FieldError[] {
  const errors = validateRequestRefs(stringsAt(constraint, 'requests'), names, field.child('requests'));
  for (const key of ['matchAttribute', 'distinctAttribute']) {
    const attribute = getKey(constraint, key);
    if (typeof attribute === 'string') return [...errors, ...validateFullAttributeName(attribute, field.child(key))];
  }
  if (!gates.DRAConsumableCapacity) return [...errors, required(field.child('matchAttribute'), '')];
  return [
    ...errors,
    required(field, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'),
  ];
}

export function validateRequestRefs(references: readonly string[], names: RequestNames, field: Path): FieldError[] {
  if (references.length > maxItems) return [tooMany(field, references.length, maxItems)];
  const repeated = repetitions(references);
  return [
    ...references.flatMap((name, index) => validateRequestRef(name, names, field.index(index))),
    ...references.flatMap((name, index) => (repeated[index] === true ? [duplicate(field.index(index), name)] : [])),
  ];
}

export function validateRequestRef(name: string, names: RequestNames, field: Path): FieldError[] {
  const unknown = invalid(
    field,
    name,
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
  );
  const parts = name.split('/');
  if (parts.length > 2) return [unknown];
  const [request = '', alternative] = parts;
  const alternatives = names.get(request);
  const known = alternatives !== undefined && (alternative === undefined || alternatives.has(alternative));
  return [...parts.flatMap((part) => validateName(part, field)), ...(known ? [] : [unknown])];
}

/** Validates a device configuration, whose parameters only the driver understands. */
export function validateDeviceConfig(config: JsonObject, field: Path): FieldError[] {
  const opaque = objectAt(config, 'opaque');
  if (!opaque) return [required(field.child('opaque'), '')];
  return [
    ...validateDriverName(stringAt(opaque, 'driver'), field.child('opaque', 'driver')),
    ...validateRawObject(opaque['parameters'], field.child('opaque', 'parameters')),
  ];
}

/** Validates a value for a driver: a JSON object whose original text is not too long. */
export function validateRawObject(value: JsonValue | undefined, field: Path): FieldError[] {
  if (value === undefined || value === null) return [required(field, '')];
  if (Buffer.byteLength(exactTextOf(value) ?? rawText(value)) > maxRawBytes) return [tooLong(field, '', maxRawBytes)];
  return isObject(value) ? [] : [invalid(field, '<value omitted>', 'must be a valid JSON object')];
}
