import { validateClaimSpec } from '#servers/core/apis/core/volumes/validation/claims.ts';
import type { RuleOptions } from '#servers/core/gates/rule-options.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import {
  amountOrPercent,
  validateAmountOrPercent,
  validateAtMost100Percent,
} from '#servers/core/validation/int-or-percent.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { forbidden, invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { labelsAt, selects } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { atOnce, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages, nonNegativeFields, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { validateAnnotations, validateLabels } from '#shared/apimachinery/validation/meta-validation.ts';
import { isDNS1123Label } from '#shared/apimachinery/validation/names.ts';
import { workloadSpecField, specOf, validateSelection } from './workload-validation.ts';

export function* validateStatefulSet(
  statefulSet: KubeObject,
  options: RuleOptions,
  old?: KubeObject,
): Steps<FieldError[]> {
  const isUpdate = old !== undefined;
  const spec = specOf(statefulSet);
  const name = stringAt(spec, 'serviceName');
  return [
    ...validateManagement(spec),
    ...validateRetention(
      objectAt(spec, 'persistentVolumeClaimRetentionPolicy'),
      workloadSpecField.child('persistentVolumeClaimRetentionPolicy'),
    ),
    ...(isUpdate
      ? []
      : yield* errorsOfEach(objectsAt(spec, 'volumeClaimTemplates'), (claim, index) =>
          validateClaimSpec(
            objectAt(claim, 'spec') ?? {},
            workloadSpecField.child('volumeClaimTemplates').index(index).child('spec'),
          ),
        )),
    ...nonNegativeFields(spec, ['replicas', 'minReadySeconds'], workloadSpecField),
    ...nonNegativeFields(objectAt(spec, 'ordinals'), ['start'], workloadSpecField.child('ordinals')),
    ...(name === '' || isUpdate ? [] : messages(isDNS1123Label(name), workloadSpecField.child('serviceName'), name)),
    ...(yield* validateSelection(withClaimVolumes(spec), old, options, 'StatefulSet', 'statefulset')),
    ...validateTemplateMetadata(spec),
  ];
}

/**
 * Validates the labels and annotations of the template a second time if the selector can be parsed, as the reference
 * does (ValidatePodTemplateSpecForStatefulSet).
 */
function validateTemplateMetadata(spec: JsonObject): FieldError[] {
  const selector = objectAt(spec, 'selector');
  if (selector && selects(selector, {}) === undefined) return [];
  const field = workloadSpecField.child('template');
  return [
    ...atOnce(validateLabels(labelsAt(spec, 'template', 'metadata', 'labels'), field.child('labels'))),
    ...atOnce(validateAnnotations(labelsAt(spec, 'template', 'metadata', 'annotations'), field.child('annotations'))),
  ];
}

function validateManagement(spec: JsonObject): FieldError[] {
  const [policy, strategy] = [stringAt(spec, 'podManagementPolicy'), objectAt(spec, 'updateStrategy') ?? {}];
  const errors: FieldError[] = [];
  if (policy === '') errors.push(required(workloadSpecField.child('podManagementPolicy'), ''));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel')
    errors.push(
      invalid(workloadSpecField.child('podManagementPolicy'), policy, "must be 'OrderedReady' or 'Parallel'"),
    );
  const type = stringAt(strategy, 'type');
  const rolling = objectAt(strategy, 'rollingUpdate');
  const field = workloadSpecField.child('updateStrategy');
  if (type === '') errors.push(required(field, ''));
  else if (type === 'OnDelete' && rolling)
    errors.push(
      invalid(
        field.child('rollingUpdate'),
        goForm('io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy', rolling),
        "only allowed for updateStrategy 'RollingUpdate'",
      ),
    );
  else if (type === 'RollingUpdate')
    errors.push(
      ...nonNegativeFields(rolling, ['partition'], field.child('rollingUpdate')),
      ...validateMaxUnavailable(rolling?.['maxUnavailable'], field.child('rollingUpdate', 'maxUnavailable')),
    );
  else if (type !== 'OnDelete')
    errors.push(
      invalid(
        field,
        goForm('io.k8s.api.apps.v1.StatefulSetUpdateStrategy', strategy),
        "must be 'RollingUpdate' or 'OnDelete'",
      ),
    );
  return errors;
}

/** Validates `maxUnavailable` (KEP-961). */
function validateMaxUnavailable(amount: JsonValue | undefined, field: Path): FieldError[] {
  if (amount === undefined) return [];
  const none = amountOrPercent(amount) === 0 ? [invalid(field, amount, 'cannot be 0')] : [];
  return [...validateAmountOrPercent(amount, field), ...none, ...validateAtMost100Percent(amount, field)];
}

function validateRetention(policy: JsonObject | undefined, field: Path): FieldError[] {
  return policy
    ? ['whenDeleted', 'whenScaled'].flatMap((name) =>
        oneOf(stringAt(policy, name), ['Retain', 'Delete'], field.child(name)),
      )
    : [];
}

/** Adds the volume that each claim template creates; the controller sets host name and subdomain. */
function withClaimVolumes(spec: JsonObject): JsonObject {
  const template = objectAt(spec, 'template') ?? {};
  const claims = new Set(objectsAt(spec, 'volumeClaimTemplates').map((claim) => stringAt(claim, 'metadata', 'name')));
  const { subdomain: _subdomain, hostname: _hostname, ...podSpec } = objectAt(template, 'spec') ?? {};
  const made = Array.from(claims, (name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const own = objectsAt(podSpec, 'volumes').filter((volume) => !claims.has(stringAt(volume, 'name')));
  return { ...spec, template: { ...template, spec: { ...podSpec, volumes: [...made, ...own] } } };
}

const updatableInStatefulSet = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
];

export function* validateStatefulSetUpdate(
  statefulSet: KubeObject,
  options: RuleOptions,
  old: KubeObject,
): Steps<FieldError[]> {
  const rest = (object: KubeObject) =>
    Object.fromEntries(Object.entries(specOf(object)).filter(([key]) => !updatableInStatefulSet.includes(key)));
  const errors = yield* validateStatefulSet(statefulSet, options, old);
  if (sameAs('io.k8s.api.apps.v1.StatefulSetSpec', rest(statefulSet), rest(old))) return errors;
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [...errors, forbidden(workloadSpecField, detail)];
}
