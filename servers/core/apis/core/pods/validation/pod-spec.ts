import { validateVolumes } from '#servers/core/apis/core/volumes/validation/volumes.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { validateLegacyAddress } from '#servers/core/validation/ip-address.ts';
import { resourceAmounts, validateAmount } from '#servers/core/validation/quantities.ts';
import { validateContainerResourceName } from '#servers/core/validation/resource-names.ts';
import {
  duplicate,
  forbidden,
  invalid,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, int64At, objectAt, type ObjectMeta, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages, oneOf, rootField } from '#shared/apimachinery/validation/field-rules.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isInRange,
  nameIsDNSSubdomain,
} from '#shared/apimachinery/validation/names.ts';
import type { ContainerScope } from './container-scope.ts';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './containers.ts';
import { isMirror } from './pod-annotations.ts';
import { validatePodResources } from './pod-level-resources.ts';
import { validatePodOs } from './pod-os.ts';
import { validatePodPlacement } from './pod-placement.ts';
import type { PodRules } from './pod-rules.ts';
import { validateTolerations } from './taints.ts';

const maxInt32 = 2_147_483_647;

/** Validates a PodSpec in a pod (`pod` is its metadata) or a template (pkg/apis/core/validation, ValidatePodSpec). */
export function* validatePodSpec(
  spec: JsonObject,
  pod: ObjectMeta | undefined,
  rules: PodRules,
  field: Path,
): Steps<FieldError[]> {
  const volumes = yield* validateVolumes(objectsAt(spec, 'volumes'), pod, field.child('volumes'));
  const scope: ContainerScope = {
    volumes: volumes.usable,
    claimNames: new Set(
      objectsAt(spec, 'resourceClaims')
        .map((claim) => stringAt(claim, 'name'))
        .filter((name) => name !== ''),
    ),
    graceSeconds: int64At(spec, 'terminationGracePeriodSeconds'),
    hostUsers: booleanAt(spec, 'hostUsers') !== false,
    podRestartPolicy: stringAt(spec, 'restartPolicy'),
    os: objectAt(spec, 'os'),
    rules,
  };
  return [
    ...volumes.errors,
    ...(yield* validateAllContainers(spec, pod, scope, field)),
    ...(yield* validatePodPlacement(spec, pod !== undefined, rules, field)),
    ...(yield* validateIdentity(spec, rules, field)),
    ...(yield* validateRuntime(spec, field)),
  ];
}

function* validateAllContainers(
  spec: JsonObject,
  pod: ObjectMeta | undefined,
  scope: ContainerScope,
  field: Path,
): Steps<FieldError[]> {
  const [regular, init] = [objectsAt(spec, 'containers'), objectsAt(spec, 'initContainers')];
  return [
    ...(yield* validateClaims(
      objectsAt(spec, 'resourceClaims'),
      pod !== undefined && isMirror(pod),
      field.child('resourceClaims'),
    )),
    ...(yield* validateContainers(regular, scope, field.child('containers'))),
    ...(yield* validateInitContainers(init, regular, scope, field.child('initContainers'))),
    ...(yield* validateEphemeralContainers(
      objectsAt(spec, 'ephemeralContainers'),
      [...regular, ...init],
      scope,
      field.child('ephemeralContainers'),
    )),
    ...(yield* validatePodResources(spec, scope.claimNames, field)),
  ];
}

function validateClaims(claims: readonly JsonObject[], ofMirror: boolean, field: Path): Steps<FieldError[]> {
  const names = new Set<string>();
  return errorsOfEach(claims, (claim, index) => {
    if (ofMirror) return [forbidden(rootField, 'static pods do not support resource claims')];
    const name = stringAt(claim, 'name');
    const at = field.index(index);
    const [direct, template] = [claim['resourceClaimName'] ?? null, claim['resourceClaimTemplateName'] ?? null];
    const errors: FieldError[] =
      name === ''
        ? [required(at.child('name'), '')]
        : names.has(name)
          ? [duplicate(at.child('name'), name)]
          : messages(isDNS1123Label(name), at.child('name'), name);
    names.add(name);
    const printed = { Name: name, ResourceClaimName: direct, ResourceClaimTemplateName: template };
    if (direct !== null && template !== null)
      errors.push(
        invalid(at, printed, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'),
      );
    if (direct === null && template === null)
      errors.push(invalid(at, printed, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    for (const key of ['resourceClaimName', 'resourceClaimTemplateName']) {
      const reference = getKey(claim, key);
      if (typeof reference === 'string')
        errors.push(...messages(nameIsDNSSubdomain(reference, false), at.child(key), reference));
    }
    return errors;
  });
}

function* validateIdentity(spec: JsonObject, rules: PodRules, field: Path): Steps<FieldError[]> {
  const [account, node, hostname, subdomain, override] = [
    'serviceAccountName',
    'nodeName',
    'hostname',
    'subdomain',
    'hostnameOverride',
  ].map((key) => stringAt(spec, key));
  const seconds = int64At(spec, 'activeDeadlineSeconds');
  return [
    ...validateHostnameOverride(spec, override ?? '', field.child('hostnameOverride')),
    ...(account ? messages(nameIsDNSSubdomain(account, false), field.child('serviceAccountName'), account) : []),
    ...(node ? messages(nameIsDNSSubdomain(node, false), field.child('nodeName'), node) : []),
    ...(seconds === undefined
      ? []
      : messages(isInRange(seconds, 1, maxInt32), field.child('activeDeadlineSeconds'), seconds)),
    ...(hostname ? messages(isDNS1123Label(hostname), field.child('hostname'), hostname) : []),
    ...(subdomain ? messages(isDNS1123Label(subdomain), field.child('subdomain'), subdomain) : []),
    ...(yield* validateTolerations(objectsAt(spec, 'tolerations'), rules.comparesTaints, field.child('tolerations'))),
    ...(yield* validateHostAliases(objectsAt(spec, 'hostAliases'), rules.gates, field.child('hostAliases'))),
  ];
}

function validateHostnameOverride(spec: JsonObject, name: string, field: Path): FieldError[] {
  if (spec['hostnameOverride'] === undefined) return [];
  return [
    ...(booleanAt(spec, 'setHostnameAsFQDN') === true
      ? [forbidden(field, 'may not be specified when setHostnameAsFQDN is true')]
      : []),
    ...(booleanAt(spec, 'hostNetwork') === true
      ? [forbidden(field, 'may not be specified when hostNetwork is true')]
      : []),
    ...(name.length > 64 ? [tooLong(field, '', 64)] : []),
    ...messages(isDNS1123Subdomain(name), field, name),
  ];
}

function validateHostAliases(aliases: readonly JsonObject[], gates: Gates, field: Path): Steps<FieldError[]> {
  return errorsOfEach(aliases, (alias, index) => {
    const names = (alias['hostnames'] ?? []) as readonly string[];
    return [
      ...validateLegacyAddress(stringAt(alias, 'ip'), gates, field.index(index).child('ip')),
      ...names.flatMap((name, position) =>
        messages(isDNS1123Subdomain(name), field.index(index).child('hostnames').index(position), name),
      ),
    ];
  });
}

function* validateRuntime(spec: JsonObject, field: Path): Steps<FieldError[]> {
  const [priority, runtime, preemption] = [
    stringAt(spec, 'priorityClassName'),
    spec['runtimeClassName'],
    spec['preemptionPolicy'],
  ];
  return [
    ...(priority === ''
      ? []
      : messages(nameIsDNSSubdomain(priority, false), field.child('priorityClassName'), priority)),
    ...(typeof runtime === 'string'
      ? messages(nameIsDNSSubdomain(runtime, false), field.child('runtimeClassName'), runtime)
      : []),
    ...(typeof preemption === 'string'
      ? oneOf(preemption, ['PreemptLowerPriority', 'Never'], field.child('preemptionPolicy'))
      : []),
    ...(yield* validateOverhead(objectAt(spec, 'overhead'), field.child('overhead'))),
    ...validatePodOs(spec, field),
    ...validateSchedulingGroup(objectAt(spec, 'schedulingGroup'), field.child('schedulingGroup')),
  ];
}

/** Validates the reference to the group of pods that are scheduled together (KEP-4671). */
function validateSchedulingGroup(group: JsonObject | undefined, field: Path): FieldError[] {
  if (group === undefined) return [];
  const name = group['podGroupName'];
  const at = field.child('podGroupName');
  return typeof name === 'string'
    ? messages(nameIsDNSSubdomain(name, false), at, name)
    : [invalid(at, null, 'must specify one of: `podGroupName`')];
}

/** Validates the resources that a pod sandbox itself needs; the reference treats them as limits. */
export function validateOverhead(overhead: JsonObject | undefined, field: Path): Steps<FieldError[]> {
  return errorsOfEach(resourceAmounts(overhead), ([name, amount]) => {
    const at = field.child('limits').key(name);
    return [...validateContainerResourceName(name, at), ...validateAmount(name, amount, at)];
  });
}
