import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { invalid, path, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import {
  validateImmutableField,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '#shared/apimachinery/validation/meta-validation.ts';
import { isQualifiedName, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { validateFinalizerNames } from '#shared/registry/finalizer-names.ts';

/** Maximum lengths in characters. */
const lengths = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

/**
 * Validates an event in its stored form (pkg/apis/core/validation/events.go). `strict`: it was created through
 * events.k8s.io.
 */
export function validateEvent(event: KubeObject, strict: boolean): FieldError[] {
  const errors = validateLegacy(event, strict);
  return strict
    ? [
        ...errors,
        ...atOnce(validateObjectMeta(event.metadata, true, nameIsDNSSubdomain, path('metadata'))),
        ...validateFinalizerNames(event),
        ...validateStrictly(event),
        ...validateSeries(objectAt(event, 'series')),
      ]
    : errors;
}

/** Whether the client sent a time, were it Go's zero time, which is null here: the reference compares whole structs. */
function isGiven(holder: JsonObject, key: string): boolean {
  return getKey(holder, key) !== undefined;
}

function validateLegacy(event: KubeObject, strict: boolean): FieldError[] {
  return !isGiven(event, 'eventTime')
    ? validateNamespaces(event, ['default'])
    : [...validateNamespaces(event, ['default', 'kube-system']), ...validateReport(event, strict)];
}

const immutable: readonly (readonly [key: string, field: string])[] = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

/**
 * An update through events.k8s.io (`strict`) may change only the series; one through core/v1 gets the older, looser
 * rules.
 */
export function validateEventUpdate(event: KubeObject, old: KubeObject, strict: boolean): FieldError[] {
  const errors = validateLegacy(event, strict);
  if (!strict) return errors;
  errors.push(
    ...atOnce(validateObjectMetaUpdate(event.metadata, old.metadata, path('metadata'))),
    ...validateFinalizerNames(event),
  );
  const series = objectAt(event, 'series');
  const goesOn = !sameAs('io.k8s.api.events.v1.EventSeries', series, objectAt(old, 'series'));
  return [
    ...errors,
    ...(goesOn ? validateSeries(series) : []),
    ...immutable.flatMap(([key, field]) => kept(key, event, old, path(field))),
  ];
}

/** How often an event was seen again. */
function validateSeries(series: JsonObject | undefined): FieldError[] {
  if (series === undefined) return [];
  return [
    ...((numberAt(series, 'count') ?? 0) < 2 ? [invalid(path('series.count'), '', 'should be at least 2')] : []),
    ...(!isGiven(series, 'lastObservedTime') ? [required(path('series.lastObservedTime'), '')] : []),
  ];
}

/** Models of members that the reference shows in their internal form. */
const models: Readonly<Record<string, string>> = {
  involvedObject: 'io.k8s.api.core.v1.ObjectReference',
  source: 'io.k8s.api.core.v1.EventSource',
  related: 'io.k8s.api.core.v1.ObjectReference',
};

function kept(key: string, event: KubeObject, old: KubeObject, field: Path): FieldError[] {
  const [now, before] = [getKey(event, key) ?? zeroOf(key), getKey(old, key) ?? zeroOf(key)];
  const model = getKey(models, key);
  return model === undefined
    ? validateImmutableField(now, before, field)
    : validateUnchanged(model, now, before, field);
}

function zeroOf(key: string): JsonValue {
  if (key === 'count') return 0;
  // These two are structs in Go, so their zero value is an empty object.
  if (key === 'involvedObject' || key === 'source') return {};
  return ['related', 'firstTimestamp', 'lastTimestamp', 'eventTime'].includes(key) ? null : '';
}

/** An event must be in the namespace of its object; for an object without namespace, in one of `homes`. */
function validateNamespaces(event: KubeObject, homes: readonly string[]): FieldError[] {
  const [about, own] = [stringAt(event, 'involvedObject', 'namespace'), event.metadata.namespace ?? ''];
  const isOld = !isGiven(event, 'eventTime');
  const fits = about === '' ? homes.includes(own) : !isOld || about === own;
  return fits ? [] : [invalid(path('involvedObject', 'namespace'), about, 'does not match event.namespace')];
}

function validateReport(event: KubeObject, strict: boolean): FieldError[] {
  const controller = stringAt(event, 'reportingComponent');
  const field = path(strict ? 'reportingController' : 'reportingComponent');
  const errors = [
    ...(controller === '' ? [required(field, '')] : []),
    ...messages(isQualifiedName(controller), field, controller),
  ];
  for (const [name, limit] of Object.entries(lengths)) {
    const text = stringAt(event, name);
    if (text === '' && name !== 'message') errors.push(required(path(name), ''));
    if (text.length > limit) errors.push(invalid(path(name), '', `can have at most ${limit} characters`));
  }
  return errors;
}

function validateStrictly(event: KubeObject): FieldError[] {
  const type = stringAt(event, 'type');
  const set = {
    firstTimestamp: isGiven(event, 'firstTimestamp'),
    lastTimestamp: isGiven(event, 'lastTimestamp'),
    count: (numberAt(event, 'count') ?? 0) !== 0,
    source: stringAt(event, 'source', 'component') !== '' || stringAt(event, 'source', 'host') !== '',
  };
  return [
    ...(!isGiven(event, 'eventTime') ? [required(path('eventTime'), '')] : []),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid(path('type'), '', `has invalid value: ${type}`)]),
    ...Object.entries(set)
      .filter(([, given]) => given)
      .map(([name]) => invalid(path(name), '', 'needs to be unset')),
  ];
}
