import type { RuleOptions } from '#servers/core/gates/rule-options.ts';
import { goDiff } from '#servers/core/validation/go-diff.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { tolerationIdentity } from '#shared/api/toleration-identity.ts';
import {
  forbidden,
  invalid,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { semanticEqualAs } from '#shared/apimachinery/schema/deep-equal.ts';
import type { Schema } from '#shared/apimachinery/schema/schema.ts';
import { labelsAt } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import {
  validateAnnotations,
  validateImmutableField,
  validateLabels,
} from '#shared/apimachinery/validation/meta-validation.ts';
import { rangeMessage } from '#shared/apimachinery/validation/names.ts';
import { validateImageSpaces } from './containers.ts';
import { copyMember, copyPlacement, validatePlacementChange } from './node-placement.ts';
import {
  annotationRules,
  validateAnnotatedProfiles,
  validatePodAnnotations,
  validatePodAnnotationUpdate,
} from './pod-annotations.ts';
import { podRules } from './pod-rules.ts';
import { validatePodSpec } from './pod-spec.ts';
import { validateTolerations } from './taints.ts';

const specField = path('spec');
const maxInt32 = 2_147_483_647;

/** Validates metadata and spec of a pod, on creation and on updates. */
export function* validatePodObject(pod: KubeObject, options: RuleOptions, old?: KubeObject): Steps<FieldError[]> {
  const spec = objectAt(pod, 'spec') ?? {};
  return [
    ...validatePodAnnotations(
      pod.metadata.annotations,
      annotationRules(pod, old, options.gates),
      path('metadata', 'annotations'),
    ),
    ...(yield* validatePodSpec(spec, pod.metadata, podRules(spec, objectAt(old, 'spec'), options), specField)),
    ...(yield* validateTokenSources(spec)),
    ...['containers', 'initContainers'].flatMap((list) =>
      objectsAt(spec, list).flatMap((container, index) =>
        validateImageSpaces(container, specField.child(list).index(index)),
      ),
    ),
  ];
}

function* validateTokenSources(spec: JsonObject): Steps<FieldError[]> {
  if (stringAt(spec, 'serviceAccountName') !== '') return [];
  return yield* errorsOfEach(objectsAt(spec, 'volumes'), (volume, index) =>
    errorsOfEach(objectsAt(volume, 'projected', 'sources'), (source, position) => {
      const at = specField
        .child('volumes')
        .index(index)
        .child('projected', 'sources')
        .index(position)
        .child('serviceAccountToken');
      return objectAt(source, 'serviceAccountToken')
        ? [forbidden(at, 'must not be specified when serviceAccountName is not set')]
        : [];
    }),
  );
}

export function* validatePodCreate(pod: KubeObject, options: RuleOptions): Steps<FieldError[]> {
  const spec = objectAt(pod, 'spec') ?? {};
  const errors = yield* validatePodObject(pod, options);
  if (objectsAt(spec, 'ephemeralContainers').length > 0)
    errors.push(forbidden(specField.child('ephemeralContainers'), 'cannot be set on create'));
  if (stringAt(spec, 'nodeName') !== '' && objectsAt(spec, 'schedulingGates').length > 0) {
    errors.push(forbidden(specField.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  }
  return [...errors, ...validateAnnotatedProfiles(pod.metadata.annotations, spec, specField)];
}

/** Validates the pod template of a workload. `old` is the template that it replaces. */
export function* validatePodTemplate(
  template: JsonObject | undefined,
  old: JsonObject | undefined,
  options: RuleOptions,
  field: Path,
): Steps<FieldError[]> {
  const spec = objectAt(template, 'spec') ?? {};
  const annotations = objectAt(template, 'metadata', 'annotations');
  const errors = [
    ...atOnce(validateLabels(labelsAt(template, 'metadata', 'labels'), field.child('labels'))),
    ...atOnce(validateAnnotations(labelsAt(template, 'metadata', 'annotations'), field.child('annotations'))),
    ...validatePodAnnotations(annotations, annotationRules(template, old, options.gates), field.child('annotations')),
    ...(yield* validatePodSpec(spec, undefined, podRules(spec, objectAt(old, 'spec'), options), field.child('spec'))),
    ...validateAnnotatedProfiles(annotations, spec, field.child('spec')),
  ];
  return objectsAt(spec, 'ephemeralContainers').length > 0
    ? [
        ...errors,
        forbidden(field.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template'),
      ]
    : errors;
}

const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];

function podSpecSchema(): Schema {
  const schema = loadFacts().model('io.k8s.api.core.v1.PodSpec');
  if (schema === undefined) throw new TypeError('no PodSpec among the facts');
  return schema;
}

/** Validates an update of a pod, of which only a few fields may change. */
export function* validatePodUpdate(pod: KubeObject, old: KubeObject, options: RuleOptions): Steps<FieldError[]> {
  const [spec, before] = [objectAt(pod, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  const errors = [
    ...(yield* validatePodObject(pod, options, old)),
    ...validatePodAnnotationUpdate(pod, old, options.gates),
  ];
  for (const list of ['containers', 'initContainers']) {
    const [now, then] = [objectsAt(spec, list), objectsAt(before, list)];
    if (now.length !== then.length)
      return [...errors, forbidden(specField.child(list), 'pod updates may not add or remove containers')];
    errors.push(...now.flatMap((container, index) => validateImage(container, specField.child(list).index(index))));
  }
  const deadline = validateDeadline(spec, before);
  errors.push(...deadline.errors);
  if (deadline.stops) return errors;
  errors.push(...(yield* validateTolerationChange(spec, before, options)), ...validateGateChange(spec, before));
  const isGated = objectsAt(before, 'schedulingGates').length > 0;
  if (isGated) errors.push(...validatePlacementChange(spec, before, specField));
  const munged = withoutUpdatable(spec, before);
  if (isGated) copyPlacement(munged, before);
  if (!semanticEqualAs(podSpecSchema(), munged, before)) {
    errors.push(
      forbidden(
        specField,
        `pod updates may not change fields other than ${updatable.join(',')}\n${goDiff('io.k8s.api.core.v1.PodSpec', before, munged)}`,
      ),
    );
  }
  return errors;
}

function validateImage(container: JsonObject, field: Path): FieldError[] {
  return [
    ...(stringAt(container, 'image') === '' ? [required(field.child('image'), '')] : []),
    ...validateImageSpaces(container, field),
  ];
}

function validateDeadline(spec: JsonObject, before: JsonObject): { errors: FieldError[]; stops: boolean } {
  const [now, then] = [int64At(spec, 'activeDeadlineSeconds'), int64At(before, 'activeDeadlineSeconds')];
  const field = specField.child('activeDeadlineSeconds');
  if (now === undefined)
    return {
      errors: then === undefined ? [] : [invalid(field, null, 'must not update from a positive integer to nil value')],
      stops: false,
    };
  if (now < 0 || now > maxInt32) return { errors: [invalid(field, now, rangeMessage(0, maxInt32))], stops: true };
  if (then !== undefined && then < now)
    return { errors: [invalid(field, now, 'must be less than or equal to previous value')], stops: true };
  return { errors: [], stops: false };
}

function* validateTolerationChange(spec: JsonObject, before: JsonObject, options: RuleOptions): Steps<FieldError[]> {
  const field = specField.child('tolerations');
  const now = objectsAt(spec, 'tolerations');
  const known = new Set(now.map((toleration) => tolerationIdentity(toleration, true)));
  const kept = objectsAt(before, 'tolerations').every((old) => known.has(tolerationIdentity(old, true)));
  return kept
    ? yield* validateTolerations(now, podRules(spec, before, options).comparesTaints, field)
    : [forbidden(field, 'existing toleration can not be modified except its tolerationSeconds')];
}

function validateGateChange(spec: JsonObject, before: JsonObject): FieldError[] {
  const added = new Map(objectsAt(spec, 'schedulingGates').map((gate, index) => [stringAt(gate, 'name'), index]));
  for (const gate of objectsAt(before, 'schedulingGates')) added.delete(stringAt(gate, 'name'));
  const field = specField.child('schedulingGates');
  return [...added].map(([name, index]) =>
    forbidden(field.index(index).child('name'), `only deletion is allowed, but found new scheduling gate '${name}'`),
  );
}

/** The new spec with the old value of every field that may change. */
function withoutUpdatable(spec: JsonObject, before: JsonObject): JsonObject {
  const munged = cloneJson(spec);
  for (const list of ['containers', 'initContainers']) {
    const then = objectsAt(before, list);
    for (const [index, container] of objectsAt(munged, list).entries()) copyMember(container, then[index], 'image');
  }
  for (const key of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) copyMember(munged, before, key);
  if (
    (int64At(before, 'terminationGracePeriodSeconds') ?? 0) < 0 &&
    int64At(munged, 'terminationGracePeriodSeconds') === 1
  )
    copyMember(munged, before, 'terminationGracePeriodSeconds');
  return munged;
}

export function validateQosClass(pod: KubeObject, old: KubeObject): FieldError[] {
  return validateImmutableField(
    stringAt(pod, 'status', 'qosClass'),
    stringAt(old, 'status', 'qosClass'),
    path('status', 'qosClass'),
  );
}
