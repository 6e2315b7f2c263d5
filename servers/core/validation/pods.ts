import { loadFacts } from '../../../shared/api/load-facts.ts';
import { deepEqual, semanticEqualAs } from '../../../shared/apimachinery/deep-equal.ts';
import { cloneJson } from '../../../shared/apimachinery/clone.ts';
import { forbidden, invalid, path, required, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { validateAnnotations, validateImmutableField, validateLabels } from '../../../shared/apimachinery/meta-validation.ts';
import { rangeMessage } from '../../../shared/apimachinery/names.ts';
import { numberAt, objectAt, objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Schema } from '../../../shared/apimachinery/schema.ts';
import { validateImageSpaces } from './containers.ts';
import { goDiff } from './go-diff.ts';
import { labelsAt } from './label-selector.ts';
import { validatePodSpec } from './pod-spec.ts';
import { validateTolerations } from './scheduling.ts';

const specField = path('spec');
const maxInt32 = 2_147_483_647;

/** Metadata and spec of a pod, whatever is done with it. */
export function validatePodObject(pod: KubeObject): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? {};
  return [
    ...validatePodSpec(spec, pod.metadata, specField),
    ...validatePodAnnotations(pod, spec),
    ...validateTokenSources(spec),
    ...['containers', 'initContainers'].flatMap((list) => objectsAt(spec, list).flatMap((container, index) => validateImageSpaces(container, specField.child(list).index(index)))),
  ];
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';
const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';

function validatePodAnnotations({ metadata }: KubeObject, spec: JsonObject): FieldError[] {
  const annotations = metadata.annotations ?? {};
  const field = path('metadata', 'annotations');
  const mirrored = Object.hasOwn(annotations, mirrorAnnotation) && stringAt(spec, 'nodeName') === '';
  const cost = Object.hasOwn(annotations, costAnnotation) ? annotations[costAnnotation] ?? '' : '0';
  return [
    ...(mirrored ? [invalid(field.key(mirrorAnnotation), annotations[mirrorAnnotation] ?? '', 'must set spec.nodeName if mirror pod annotation is set')] : []),
    ...(isCost(cost) ? [] : [invalid(field.key(costAnnotation), cost, 'must be a 32bit integer')]),
  ];
}

/** Without a leading plus or zeros, so that there is one way to write it. */
function isCost(text: string): boolean {
  return /^(0|[1-9]\d*|-\d+)$/.test(text) && Number(text) <= maxInt32 && Number(text) >= -maxInt32 - 1;
}

function validateTokenSources(spec: JsonObject): FieldError[] {
  if (stringAt(spec, 'serviceAccountName') !== '') return [];
  return objectsAt(spec, 'volumes').flatMap((volume, index) => objectsAt(volume, 'projected', 'sources').flatMap((source, position) => {
    const at = specField.child('volumes').index(index).child('projected', 'sources').index(position).child('serviceAccountToken');
    return objectAt(source, 'serviceAccountToken') ? [forbidden(at, 'must not be specified when serviceAccountName is not set')] : [];
  }));
}

export function validatePodCreate(pod: KubeObject): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? {};
  const errors = validatePodObject(pod);
  if (objectsAt(spec, 'ephemeralContainers').length > 0) errors.push(forbidden(specField.child('ephemeralContainers'), 'cannot be set on create'));
  if (stringAt(spec, 'nodeName') !== '' && objectsAt(spec, 'schedulingGates').length > 0) {
    errors.push(forbidden(specField.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  }
  return errors;
}

/** `template` of a workload. */
export function validatePodTemplate(template: JsonObject | undefined, field: Path): FieldError[] {
  const spec = objectAt(template, 'spec') ?? {};
  const errors = [
    ...validateLabels(labelsAt(template, 'metadata', 'labels'), field.child('labels')),
    ...validateAnnotations(labelsAt(template, 'metadata', 'annotations'), field.child('annotations')),
    ...validatePodSpec(spec, undefined, field.child('spec')),
  ];
  return objectsAt(spec, 'ephemeralContainers').length > 0 ? [...errors, forbidden(field.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template')] : errors;
}

const updatable = [
  '`spec.containers[*].image`', '`spec.initContainers[*].image`', '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)', '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

function podSpecSchema(): Schema {
  const schema = loadFacts().model('io.k8s.api.core.v1.PodSpec');
  if (schema === undefined) throw new TypeError('no PodSpec among the facts');
  return schema;
}

/** Of a pod that is there only a few fields change. */
export function validatePodUpdate(pod: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [objectAt(pod, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  const errors = validatePodObject(pod);
  for (const list of ['containers', 'initContainers']) {
    const [now, then] = [objectsAt(spec, list), objectsAt(before, list)];
    if (now.length !== then.length) return [...errors, forbidden(specField.child(list), 'pod updates may not add or remove containers')];
    errors.push(...now.flatMap((container, index) => validateImage(container, specField.child(list).index(index))));
  }
  const deadline = validateDeadline(spec, before);
  errors.push(...deadline.errors);
  if (deadline.stops) return errors;
  errors.push(...validateTolerationChange(spec, before), ...validateGateChange(spec, before));
  const munged = withoutUpdatable(spec, before);
  if (!semanticEqualAs(podSpecSchema(), munged, before)) {
    errors.push(forbidden(specField, `pod updates may not change fields other than ${updatable.join(',')}\n${goDiff('io.k8s.api.core.v1.PodSpec', before, munged)}`));
  }
  return errors;
}

function validateImage(container: JsonObject, field: Path): FieldError[] {
  return [...(stringAt(container, 'image') === '' ? [required(field.child('image'), '')] : []), ...validateImageSpaces(container, field)];
}

function validateDeadline(spec: JsonObject, before: JsonObject): { errors: FieldError[]; stops: boolean } {
  const [now, then] = [numberAt(spec, 'activeDeadlineSeconds'), numberAt(before, 'activeDeadlineSeconds')];
  const field = specField.child('activeDeadlineSeconds');
  if (now === undefined) return { errors: then === undefined ? [] : [invalid(field, null, 'must not update from a positive integer to nil value')], stops: false };
  if (now < 0 || now > maxInt32) return { errors: [invalid(field, now, rangeMessage(0, maxInt32))], stops: true };
  if (then !== undefined && then < now) return { errors: [invalid(field, now, 'must be less than or equal to previous value')], stops: true };
  return { errors: [], stops: false };
}

function validateTolerationChange(spec: JsonObject, before: JsonObject): FieldError[] {
  const field = specField.child('tolerations');
  const now = objectsAt(spec, 'tolerations');
  const bare = ({ tolerationSeconds: _seconds, ...rest }: JsonObject) => rest;
  const kept = objectsAt(before, 'tolerations').every((old) => now.some((toleration) => deepEqual(bare(toleration), bare(old))));
  return kept ? validateTolerations(now, field) : [forbidden(field, 'existing toleration can not be modified except its tolerationSeconds')];
}

function validateGateChange(spec: JsonObject, before: JsonObject): FieldError[] {
  const known = new Set(objectsAt(before, 'schedulingGates').map((gate) => stringAt(gate, 'name')));
  return objectsAt(spec, 'schedulingGates').flatMap((gate, index) => {
    const name = stringAt(gate, 'name');
    const at = specField.child('schedulingGates').index(index).child('name');
    return known.has(name) ? [] : [forbidden(at, `only deletion is allowed, but found new scheduling gate '${name}'`)];
  });
}

/** The new spec with everything that may change taken from the old one. */
function withoutUpdatable(spec: JsonObject, before: JsonObject): JsonObject {
  const munged = cloneJson(spec);
  const keep = (target: JsonObject, source: JsonObject | undefined, key: string) => {
    const value = source?.[key];
    if (value === undefined) delete target[key];
    else target[key] = value;
  };
  for (const list of ['containers', 'initContainers']) {
    const then = objectsAt(before, list);
    for (const [index, container] of objectsAt(munged, list).entries()) keep(container, then[index], 'image');
  }
  for (const key of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) keep(munged, before, key);
  if ((numberAt(before, 'terminationGracePeriodSeconds') ?? 0) < 0 && numberAt(munged, 'terminationGracePeriodSeconds') === 1) keep(munged, before, 'terminationGracePeriodSeconds');
  // A gated pod may still be told where to go.
  if (objectsAt(before, 'schedulingGates').length > 0) for (const key of ['nodeSelector', 'affinity']) keep(munged, before, key);
  return munged;
}

export function validateQosClass(pod: KubeObject, old: KubeObject): FieldError[] {
  return validateImmutableField(stringAt(pod, 'status', 'qosClass'), stringAt(old, 'status', 'qosClass'), path('status', 'qosClass'));
}
