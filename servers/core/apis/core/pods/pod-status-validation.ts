import type { Gates } from '#servers/core/gates/gates.ts';
import { validateLegacyAddress } from '#servers/core/validation/ip-address.ts';
import {
  forbidden,
  internalError,
  invalid,
  path,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { sloppyAddress } from '#shared/apimachinery/net/address-range.ts';
import { int64At, type KubeObject, numberAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { validateContainerStatuses } from './container-status-validation.ts';
import { validateClaimStatuses } from './pod-claims-status-validation.ts';
import { validatePodAnnotationUpdate } from './validation/pod-annotations.ts';
import { validateQosClass } from './validation/pods.ts';

const status = path('status');
const systemConditions = ['PodScheduled', 'Ready', 'Initialized'];

/** Validates the status that a kubelet or a scheduler writes (pkg/apis/core/validation, ValidatePodStatusUpdate). */
export function validatePodStatus(pod: KubeObject, old: KubeObject, gates: Gates): FieldError[] {
  const observed = int64At(pod, 'status', 'observedGeneration') ?? 0;
  return [
    ...validatePodAnnotationUpdate(pod, old, gates),
    ...validateConditions(pod),
    ...validateNomination(pod, old, gates),
    ...(observed < 0 ? [invalid(status.child('observedGeneration'), observed, 'must be a non-negative integer')] : []),
    ...validateQosClass(pod, old),
    ...['containerStatuses', 'initContainerStatuses'].flatMap((list) => validateTransitions(pod, old, list)),
    ...validateClaimStatuses(pod),
    ...validateIps(addresses(pod, 'podIPs'), addresses(old, 'podIPs'), gates, status.child('podIPs')),
    ...validateHostIps(pod, old, gates),
    ...validateContainerStatuses(pod, gates),
  ];
}

function validateConditions(pod: KubeObject): FieldError[] {
  return objectsAt(pod, 'status', 'conditions').flatMap((condition, index) => {
    const at = status.child('conditions').index(index);
    const [type, observed] = [stringAt(condition, 'type'), int64At(condition, 'observedGeneration') ?? 0];
    const errors =
      observed < 0 ? [invalid(at.child('observedGeneration'), observed, 'must be a non-negative integer')] : [];
    return systemConditions.includes(type)
      ? errors
      : [...errors, ...messages(isQualifiedName(type), at.child('Type'), type)];
  });
}

function validateNomination(pod: KubeObject, old: KubeObject, gates: Gates): FieldError[] {
  const field = status.child('nominatedNodeName');
  const name = stringAt(pod, 'status', 'nominatedNodeName');
  if (name === '' || name === stringAt(old, 'status', 'nominatedNodeName')) return [];
  const errors = messages(nameIsDNSSubdomain(name, false), field, name);
  return !gates.ClearingNominatedNodeNameAfterBinding || stringAt(old, 'spec', 'nodeName') === ''
    ? errors
    : [...errors, forbidden(field, 'may not be set on pods that are already bound to a node')];
}

/**
 * Refuses a status in which a container runs again although it terminated and its restart policy forbids another start.
 */
function validateTransitions(pod: KubeObject, old: KubeObject, list: string): FieldError[] {
  const policy = stringAt(old, 'spec', 'restartPolicy');
  if (policy === 'Always' || list === 'initContainerStatuses') return [];
  const now = new Map(objectsAt(pod, 'status', list).map((item) => [stringAt(item, 'name'), item]));
  return objectsAt(old, 'status', list).flatMap((before, index) => {
    const ended = objectAt(before, 'state', 'terminated');
    const after = now.get(stringAt(before, 'name'));
    if (!ended || !after || (policy === 'OnFailure' && numberAt(ended, 'exitCode') !== 0)) return [];
    return objectAt(after, 'state', 'terminated')
      ? []
      : [forbidden(status.child(list).index(index).child('state'), 'may not be transitioned to non-terminated state')];
  });
}

function addresses(pod: KubeObject, list: string): string[] {
  return objectsAt(pod, 'status', list).map((item) => stringAt(item, 'ip'));
}

function validateIps(ips: readonly string[], before: readonly string[], gates: Gates, field: Path): FieldError[] {
  const known = new Set(before);
  const errors = ips.flatMap((ip, index) => validateLegacyAddress(ip, gates, field.index(index), known));
  const wrong = ips.length > 1 ? ips.findIndex((ip) => sloppyAddress(ip) === undefined) : -1;
  if (wrong >= 0)
    errors.push(
      internalError(field, `failed to check for dual stack with error:invalid IP[${wrong}]: ${ips[wrong] ?? ''}`),
    );
  const dual = ips.length === 2 && new Set(ips.map((ip) => ip.includes(':'))).size === 2;
  return ips.length <= 1 || dual
    ? errors
    : [
        ...errors,
        invalid(
          field,
          ips.map((ip) => ({ IP: ip })),
          'may specify no more than one IP for each IP family',
        ),
      ];
}

function validateHostIps(pod: KubeObject, old: KubeObject, gates: Gates): FieldError[] {
  const ips = addresses(pod, 'hostIPs');
  const field = status.child('hostIPs');
  if (ips.length === 0) return [];
  const first = ips[0] ?? '';
  const errors =
    stringAt(pod, 'status', 'hostIP') === first
      ? []
      : [invalid(field.index(0).child('ip'), first, 'must be equal to `hostIP`')];
  return [...errors, ...validateIps(ips, addresses(old, 'hostIPs'), gates, field)];
}
