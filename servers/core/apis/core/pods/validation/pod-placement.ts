import { validateHostPorts } from '#servers/core/validation/ports.ts';
import { duplicate, forbidden, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, numberAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { labelsAt } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { validateLabels } from '#shared/apimachinery/validation/meta-validation.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { validateDnsConfig } from './dns.ts';
import { validateFileVariables } from './environment.ts';
import type { PodRules } from './pod-rules.ts';
import { validateAffinity, validateSpreadConstraints } from './scheduling.ts';
import { validatePodSecurityContext } from './security-context.ts';
import { validateHostProcesses } from './windows-options.ts';

/** Validates the fields for network, node and scheduler. */
export function* validatePodPlacement(
  spec: JsonObject,
  isPod: boolean,
  rules: PodRules,
  field: Path,
): Steps<FieldError[]> {
  const hostPorts =
    booleanAt(spec, 'hostNetwork') !== true
      ? []
      : yield* errorsOfEach(objectsAt(spec, 'containers'), (container, index) => {
          const ports = objectsAt(container, 'ports').map((port) =>
            isPod || numberAt(port, 'hostPort') ? port : { ...port, hostPort: numberAt(port, 'containerPort') ?? 0 },
          );
          return validateHostPorts(ports, field.child('containers').index(index).child('ports'));
        });
  if (sliceIsOver()) yield;
  const basics = [
    ...hostPorts,
    ...oneOf(stringAt(spec, 'restartPolicy'), ['Always', 'OnFailure', 'Never'], field.child('restartPolicy')),
    ...oneOf(
      stringAt(spec, 'dnsPolicy'),
      ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
      field.child('dnsPolicy'),
    ),
    ...atOnce(validateLabels(labelsAt(spec, 'nodeSelector'), field.child('nodeSelector'))),
    ...validatePodSecurityContext(spec, rules.mountOption, field.child('securityContext')),
  ];
  const others = yield* errorsOfEach(
    [
      () => validateAffinity(objectAt(spec, 'affinity'), field.child('affinity')),
      () =>
        validateDnsConfig(objectAt(spec, 'dnsConfig'), stringAt(spec, 'dnsPolicy'), rules, field.child('dnsConfig')),
      () => validateReadinessGates(objectsAt(spec, 'readinessGates'), field.child('readinessGates')),
      () => validateSchedulingGates(objectsAt(spec, 'schedulingGates'), field.child('schedulingGates')),
      () =>
        validateSpreadConstraints(
          objectsAt(spec, 'topologySpreadConstraints'),
          rules.mergedSpreadKeys,
          field.child('topologySpreadConstraints'),
        ),
      () => validateHostProcesses(spec, rules.allowPrivileged, field),
      () => validateHostUsers(spec, rules, field),
      () => validateFileVariables(spec, field),
    ],
    (part) => part(),
  );
  return [...basics, ...others];
}

function validateReadinessGates(gates: readonly JsonObject[], field: Path): Steps<FieldError[]> {
  return errorsOfEach(gates, (gate, index) => {
    const type = stringAt(gate, 'conditionType');
    return messages(isQualifiedName(type), field.index(index).child('conditionType'), type);
  });
}

function validateSchedulingGates(gates: readonly JsonObject[], field: Path): Steps<FieldError[]> {
  const seen = new Set<string>();
  return errorsOfEach(gates, (gate, index) => {
    const name = stringAt(gate, 'name');
    const errors = messages(isQualifiedName(name), field.index(index), name);
    if (seen.has(name)) errors.push(duplicate(field.index(index), name));
    seen.add(name);
    return errors;
  });
}

/** A pod with its own user namespace may not use other host namespaces or block devices, unless the rules allow it. */
function validateHostUsers(spec: JsonObject, rules: PodRules, field: Path): FieldError[] {
  if (booleanAt(spec, 'hostUsers') !== false) return [];
  const names = {
    ...(rules.usersOnHost ? {} : { hostNetwork: 'hostNetwork' }),
    hostPID: 'HostPID',
    hostIPC: 'HostIPC',
  };
  const devices = rules.usersWithDevices
    ? []
    : ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
        objectsAt(spec, list).flatMap((container, index) =>
          objectsAt(container, 'volumeDevices').length > 0
            ? [field.child(list).index(index).child('volumeDevices')]
            : [],
        ),
      );
  const places = Object.entries(names)
    .filter(([key]) => booleanAt(spec, key) === true)
    .map(([, printed]) => field.child(printed));
  return [...places, ...devices].map((at) => forbidden(at, 'when `hostUsers` is false'));
}
