import type { Gates } from '#servers/core/gates/gates.ts';
import { quantity, validateNonNegativeQuantity } from '#servers/core/validation/quantities.ts';
import { validateContainerResourceName } from '#servers/core/validation/resource-names.ts';
import {
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages, nonNegativeFields } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Label, nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import { quantitySign } from '#shared/apimachinery/values/quantity.ts';

/** How strictly the apiVersion of a target reference is validated. */
type ApiVersionRule = 'any' | 'readable' | 'with group';

const maxPeriodSeconds = 1800;
const maxStabilizationWindowSeconds = 3600;

/** HorizontalPodAutoscalers (pkg/apis/autoscaling/validation, pkg/registry/autoscaling/horizontalpodautoscaler). */
export function validateAutoscaler(autoscaler: KubeObject, gates: Gates, old?: KubeObject): FieldError[] {
  const spec = objectAt(autoscaler, 'spec') ?? {};
  const field = path('spec');
  const target = objectAt(spec, 'scaleTargetRef') ?? {};
  return [
    ...validateReplicas(spec, gates.HPAScaleToZero || numberAt(old, 'spec', 'minReplicas') === 0 ? 0 : 1, field),
    ...validateReference(target, targetRule(target, old), field.child('scaleTargetRef')),
    ...validateMetrics(
      objectsAt(spec, 'metrics'),
      numberAt(spec, 'minReplicas'),
      objectRule(old),
      field.child('metrics'),
    ),
    ...['scaleUp', 'scaleDown'].flatMap((direction) =>
      validateScalingRules(objectAt(spec, 'behavior', direction), field.child('behavior', direction)),
    ),
  ];
}

export function validateAutoscalerStatus(autoscaler: KubeObject): FieldError[] {
  return nonNegativeFields(objectAt(autoscaler, 'status'), ['currentReplicas', 'desiredReplicas'], path('status'));
}

/** An unchanged target is not validated again; only ReplicationControllers may be named without a group. */
function targetRule(target: JsonObject, old: KubeObject | undefined): ApiVersionRule {
  const before = objectAt(old, 'spec', 'scaleTargetRef');
  if (
    old &&
    stringAt(before, 'apiVersion') === stringAt(target, 'apiVersion') &&
    stringAt(before, 'kind') === stringAt(target, 'kind')
  )
    return 'any';
  return stringAt(target, 'kind') === 'ReplicationController' ? 'readable' : 'with group';
}

function objectRule(old: KubeObject | undefined): ApiVersionRule {
  const broken = objectsAt(old, 'spec', 'metrics').some(
    (metric) =>
      stringAt(metric, 'type') === 'Object' &&
      apiVersionProblem(stringAt(metric, 'object', 'describedObject', 'apiVersion'), 'readable') !== '',
  );
  return broken ? 'any' : 'readable';
}

function validateReplicas(spec: JsonObject, least: number, field: Path): FieldError[] {
  const [min, max] = [numberAt(spec, 'minReplicas'), numberAt(spec, 'maxReplicas') ?? 0];
  const errors: FieldError[] = [];
  if (min !== undefined && min < least)
    errors.push(invalid(field.child('minReplicas'), min, `must be greater than or equal to ${least}`));
  if (max === 0) errors.push(required(field.child('maxReplicas'), 'must be set and greater than 0'));
  else if (max < 0) errors.push(invalid(field.child('maxReplicas'), max, 'must be greater than or equal to 1'));
  if (min !== undefined && max < min)
    errors.push(invalid(field.child('maxReplicas'), max, 'must be greater than or equal to `minReplicas`'));
  return errors;
}

function validateReference(reference: JsonObject, rule: ApiVersionRule, field: Path): FieldError[] {
  const version = stringAt(reference, 'apiVersion');
  const problem = apiVersionProblem(version, rule);
  return [
    ...validateSegment(stringAt(reference, 'kind'), '', field.child('kind')),
    ...validateSegment(stringAt(reference, 'name'), '', field.child('name')),
    ...(problem === '' ? [] : [invalid(field.child('apiVersion'), version, problem)]),
  ];
}

function apiVersionProblem(text: string, rule: ApiVersionRule): string {
  if (rule === 'any') return '';
  try {
    const { group } = parseGroupVersion(text);
    return rule === 'with group' && group === '' ? 'apiVersion must specify API group' : '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Validates a required name that must be a valid path segment. */
function validateSegment(name: string, missing: string, field: Path): FieldError[] {
  return name === '' ? [required(field, missing)] : messages(nameIsPathSegment(name, false), field, name);
}

function validateMetrics(
  metrics: readonly JsonObject[],
  minReplicas: number | undefined,
  rule: ApiVersionRule,
  field: Path,
): FieldError[] {
  const errors = metrics.flatMap((metric, index) => validateMetric(metric, rule, field.index(index)));
  const fromOutside = metrics.some((metric) => ['Object', 'External'].includes(stringAt(metric, 'type')));
  if (minReplicas === 0 && !fromOutside)
    errors.push(
      forbidden(field, 'must specify at least one Object or External metric to support scaling to zero replicas'),
    );
  return errors;
}

const sources = ['object', 'external', 'pods', 'resource', 'containerResource'];
const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];

function validateMetric(metric: JsonObject, rule: ApiVersionRule, field: Path): FieldError[] {
  const type = stringAt(metric, 'type');
  const unknown = metricTypes.includes(type) ? [] : [notSupported(field.child('type'), type, metricTypes)];
  const present = sources.filter((name) => objectAt(metric, name) !== undefined);
  const [first] = present;
  const expected = unknown.length > 0 ? undefined : `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
  const errors: FieldError[] = type === '' ? [required(field.child('type'), 'must specify a metric source type')] : [];
  errors.push(...unknown);
  // The first source that is set is validated, whatever the type says.
  if (first !== undefined)
    errors.push(...validateSource(first, objectAt(metric, first) ?? {}, rule, field.child(first)));
  if (expected !== undefined && !present.includes(expected))
    errors.push(required(field.child(expected), 'must populate information for the given metric source'));
  errors.push(...unknown);
  if (present.length === 1) return errors;
  return [
    ...errors,
    ...present
      .filter((name) => name !== expected)
      .map((name) => forbidden(field.child(name), 'must populate the given metric source only')),
  ];
}

function validateSource(kind: string, source: JsonObject, rule: ApiVersionRule, field: Path): FieldError[] {
  switch (kind) {
    case 'object':
      return [
        ...validateReference(objectAt(source, 'describedObject') ?? {}, rule, field.child('describedObject')),
        ...validateMetricValue(source, field, (value, average, at) =>
          !value && !average
            ? [required(at.child('averageValue'), 'must set either a target value or averageValue')]
            : [],
        ),
      ];
    case 'external':
      return validateMetricValue(source, field, (value, average, at) => {
        if (!value && !average)
          return [required(at.child('averageValue'), 'must set either a target value for metric or a per-pod target')];
        return value && average
          ? [forbidden(at.child('value'), 'may not set both a target value for metric and a per-pod target')]
          : [];
      });
    case 'pods':
      return validateMetricValue(source, field, (_value, average, at) =>
        average ? [] : [required(at.child('averageValue'), 'must specify a positive target averageValue')],
      );
    default:
      return validateUsage(kind, source, field);
  }
}

type TargetRule = (hasValue: boolean, hasAverageValue: boolean, field: Path) => FieldError[];

/** Validates a source with a metric name and a target value. */
function validateMetricValue(source: JsonObject, field: Path, rule: TargetRule): FieldError[] {
  const target = objectAt(source, 'target') ?? {};
  return [
    ...validateSegment(stringAt(source, 'metric', 'name'), 'must specify a metric name', field.child('metric', 'name')),
    ...validateTarget(target, field.child('target')),
    ...rule(isSet(target, 'value'), isSet(target, 'averageValue'), field.child('target')),
  ];
}

/** Validates a source that measures resource usage of a pod or of one of its containers. */
function validateUsage(kind: string, source: JsonObject, field: Path): FieldError[] {
  const [name, container] = [stringAt(source, 'name'), stringAt(source, 'container')];
  const target = objectAt(source, 'target') ?? {};
  const at = field.child('target');
  const errors: FieldError[] = name === '' ? [required(field.child('name'), 'must specify a resource name')] : [];
  if (kind === 'containerResource') {
    if (name !== '') errors.push(...validateContainerResourceName(name, field.child('name')));
    errors.push(
      ...(container === ''
        ? [required(field.child('container'), 'must specify a container')]
        : messages(isDNS1123Label(container), field.child('container'), container)),
    );
  }
  errors.push(...validateTarget(target, at));
  const [utilization, average] = [isSet(target, 'averageUtilization'), isSet(target, 'averageValue')];
  if (!utilization && !average)
    errors.push(required(at.child('averageUtilization'), 'must set either a target raw value or a target utilization'));
  if (utilization && average)
    errors.push(forbidden(at.child('averageValue'), 'may not set both a target raw value and a target utilization'));
  return errors;
}

function isSet(object: JsonObject, key: string): boolean {
  return getKey(object, key) !== undefined && getKey(object, key) !== null;
}

function validateTarget(target: JsonObject, field: Path): FieldError[] {
  const [type, utilization] = [stringAt(target, 'type'), numberAt(target, 'averageUtilization')];
  return [
    ...(type === '' ? [required(field.child('type'), 'must specify a metric target type')] : []),
    ...(['Utilization', 'Value', 'AverageValue'].includes(type)
      ? []
      : [invalid(field.child('type'), type, 'must be either Utilization, Value, or AverageValue')]),
    ...['value', 'averageValue'].flatMap((key) =>
      isSet(target, key) && quantitySign(quantity(getKey(target, key))) <= 0
        ? [invalid(field.child(key), String(getKey(target, key)), 'must be positive')]
        : [],
    ),
    ...(utilization !== undefined && utilization < 1
      ? [invalid(field.child('averageUtilization'), utilization, 'must be greater than 0')]
      : []),
  ];
}

function validateScalingRules(rules: JsonObject | undefined, field: Path): FieldError[] {
  if (!rules) return [];
  const [window, select, policies] = [
    numberAt(rules, 'stabilizationWindowSeconds'),
    rules['selectPolicy'],
    objectsAt(rules, 'policies'),
  ];
  const at = field.child('stabilizationWindowSeconds');
  const errors: FieldError[] = [];
  if (window !== undefined && window < 0) errors.push(invalid(at, window, 'must be greater than or equal to zero'));
  if (window !== undefined && window > maxStabilizationWindowSeconds)
    errors.push(invalid(at, window, `must be less than or equal to ${maxStabilizationWindowSeconds}`));
  const known = ['Disabled', 'Max', 'Min'];
  if (typeof select === 'string' && !known.includes(select))
    errors.push(notSupported(field.child('selectPolicy'), select, known));
  if (policies.length === 0) errors.push(required(field.child('policies'), 'must specify at least one Policy'));
  errors.push(
    ...policies.flatMap((policy, index) => validateScalingPolicy(policy, field.child('policies').index(index))),
  );
  return isSet(rules, 'tolerance')
    ? [...errors, ...validateNonNegativeQuantity(rules['tolerance'], field.child('tolerance'))]
    : errors;
}

function validateScalingPolicy(policy: JsonObject, field: Path): FieldError[] {
  const [type, value, period] = [
    stringAt(policy, 'type'),
    numberAt(policy, 'value') ?? 0,
    numberAt(policy, 'periodSeconds') ?? 0,
  ];
  const known = ['Percent', 'Pods'];
  return [
    ...(known.includes(type) ? [] : [notSupported(field.child('type'), type, known)]),
    ...(value <= 0 ? [invalid(field.child('value'), value, 'must be greater than zero')] : []),
    ...(period <= 0 ? [invalid(field.child('periodSeconds'), period, 'must be greater than zero')] : []),
    ...(period > maxPeriodSeconds
      ? [invalid(field.child('periodSeconds'), period, `must be less than or equal to ${maxPeriodSeconds}`)]
      : []),
  ];
}
