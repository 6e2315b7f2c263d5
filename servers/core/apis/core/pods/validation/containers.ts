import { validateMounts } from '#servers/core/apis/core/volumes/validation/mounts.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import { validateContainerPorts } from '#servers/core/validation/ports.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { messages, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Label } from '#shared/apimachinery/validation/names.ts';
import { validateInitRestarts, validateOwnRestarts } from './container-restarts.ts';
import type { ContainerScope } from './container-scope.ts';
import { validateEnvironment, validateEnvironmentSources } from './environment.ts';
import type { PodRules } from './pod-rules.ts';
import { validateLifecycle, validateProbes } from './probes.ts';
import { validateContainerResources } from './resources.ts';
import { validateContainerSecurity } from './security-context.ts';

const initOnly = 'may not be set for init containers without restartPolicy=Always';
const debugOnly = 'cannot be set for an Ephemeral Container';

export function* validateContainers(
  containers: readonly JsonObject[],
  scope: ContainerScope,
  field: Path,
): Steps<FieldError[]> {
  if (containers.length === 0) return [required(field, '')];
  const names = new Set<string>();
  const errors = yield* errorsOfEach(containers, function* ofContainer(container, index) {
    const at = field.index(index);
    return [
      ...(yield* validateCommon(container, scope, at)),
      ...validateUniqueName(container, names, at),
      ...validateLifecycle(objectAt(container, 'lifecycle'), scope, at.child('lifecycle')),
      ...validateProbes(container, at),
      ...validateOwnRestarts(container, scope.rules, at),
    ];
  });
  return [...errors, ...(yield* validateHostPortConflicts(containers, field))];
}

export function validateInitContainers(
  containers: readonly JsonObject[],
  regular: readonly JsonObject[],
  scope: ContainerScope,
  field: Path,
): Steps<FieldError[]> {
  const names = new Set(regular.map((container) => stringAt(container, 'name')));
  return errorsOfEach(containers, function* ofContainer(container, index) {
    const at = field.index(index);
    const isSidecar = stringAt(container, 'restartPolicy') === 'Always';
    const running = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];
    return [
      ...(yield* validateCommon(container, scope, at)),
      ...validateInitRestarts(container, scope.rules, at),
      ...validateUniqueName(container, names, at, false),
      ...(yield* validateHostPortConflicts([container], field)),
      ...(isSidecar
        ? [
            ...validateLifecycle(objectAt(container, 'lifecycle'), scope, at.child('lifecycle')),
            ...validateProbes(container, at),
          ]
        : running.filter((name) => objectAt(container, name)).map((name) => forbidden(at.child(name), initOnly))),
      ...validateInitResizePolicy(
        objectsAt(container, 'resizePolicy'),
        isSidecar,
        scope.rules,
        at.child('resizePolicy'),
      ),
    ];
  });
}

/** Fields that ephemeral containers may not have. */
const forbiddenInDebug = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
];

export function validateEphemeralContainers(
  containers: readonly JsonObject[],
  others: readonly JsonObject[],
  scope: ContainerScope,
  field: Path,
): Steps<FieldError[]> {
  const otherNames = new Set(others.map((container) => stringAt(container, 'name')));
  const names = new Set(otherNames);
  return errorsOfEach(containers, function* ofContainer(container, index) {
    const at = field.index(index);
    const target = stringAt(container, 'targetContainerName');
    return [
      ...(yield* validateCommon(container, scope, at)),
      ...validateImageSpaces(container, at),
      ...validateUniqueName(container, names, at),
      ...(target !== '' && !otherNames.has(target) ? [notFound(at.child('targetContainerName'), target)] : []),
      ...forbiddenInDebug.filter((name) => isSet(container, name)).map((name) => forbidden(at.child(name), debugOnly)),
      ...objectsAt(container, 'volumeMounts').flatMap((mount, position) =>
        ['subPath', 'subPathExpr']
          .filter((key) => stringAt(mount, key) !== '')
          .map((key) => forbidden(at.child('volumeMounts').index(position).child(key), debugOnly)),
      ),
    ];
  });
}

function isSet(container: JsonObject, name: string): boolean {
  const value = getKey(container, name);
  return (
    value !== undefined &&
    value !== null &&
    (name !== 'resources' || Object.keys(objectAt(container, name) ?? {}).length > 0)
  );
}

/** Refuses a name that is in `names`. With `countsNameless` false, containers without a name are not duplicates. */
function validateUniqueName(
  container: JsonObject,
  names: Set<string>,
  field: Path,
  countsNameless = true,
): FieldError[] {
  const name = stringAt(container, 'name');
  if (names.has(name)) return [duplicate(field.child('name'), name)];
  if (countsNameless || name !== '') names.add(name);
  return [];
}

/** Refuses spaces around the image; for pods only, because stored templates may have them. */
export function validateImageSpaces(container: JsonObject, field: Path): FieldError[] {
  const image = stringAt(container, 'image');
  return image.trim() === image
    ? []
    : [invalid(field.child('image'), image, 'must not have leading or trailing whitespace')];
}

function* validateCommon(container: JsonObject, scope: ContainerScope, field: Path): Steps<FieldError[]> {
  const name = stringAt(container, 'name');
  return [
    ...(name === '' ? [required(field.child('name'), '')] : messages(isDNS1123Label(name), field.child('name'), name)),
    ...(stringAt(container, 'image') === '' ? [required(field.child('image'), '')] : []),
    ...oneOf(
      stringAt(container, 'terminationMessagePolicy'),
      ['File', 'FallbackToLogsOnError'],
      field.child('terminationMessagePolicy'),
    ),
    ...(yield* validateContainerPorts(objectsAt(container, 'ports'), field.child('ports'))),
    ...(yield* validateEnvironment(objectsAt(container, 'env'), scope.rules, field.child('env'))),
    ...(yield* validateEnvironmentSources(objectsAt(container, 'envFrom'), scope.rules, field.child('envFrom'))),
    ...(yield* validateMounts(container, scope.volumes, field)),
    ...oneOf(
      stringAt(container, 'imagePullPolicy'),
      ['Always', 'IfNotPresent', 'Never'],
      field.child('imagePullPolicy'),
    ),
    ...(yield* validateContainerResources(
      objectAt(container, 'resources'),
      scope.claimNames,
      field.child('resources'),
    )),
    ...validateResizePolicy(objectsAt(container, 'resizePolicy'), scope.podRestartPolicy, field.child('resizePolicy')),
    ...validateContainerSecurity(objectAt(container, 'securityContext'), scope, field.child('securityContext')),
  ];
}

function validateResizePolicy(policies: readonly JsonObject[], podRestartPolicy: string, field: Path): FieldError[] {
  const seen = new Set<string>();
  return policies.flatMap((policy, index) => {
    const [resource, restart] = [stringAt(policy, 'resourceName'), stringAt(policy, 'restartPolicy')];
    const errors: FieldError[] = seen.has(resource) ? [duplicate(field.index(index), resource)] : [];
    seen.add(resource);
    errors.push(
      ...oneOf(resource, ['cpu', 'memory'], field),
      ...oneOf(restart, ['NotRequired', 'RestartContainer'], field),
    );
    if (podRestartPolicy === 'Never' && restart !== 'NotRequired')
      errors.push(invalid(field, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    return errors;
  });
}

/** Refuses RestartContainer for init containers that are not sidecars, unless the rules allow it. */
function validateInitResizePolicy(
  policies: readonly JsonObject[],
  isSidecar: boolean,
  rules: PodRules,
  field: Path,
): FieldError[] {
  const restarts =
    isSidecar || rules.restartsInit
      ? []
      : policies.flatMap((policy, index) =>
          stringAt(policy, 'restartPolicy') === 'RestartContainer'
            ? [
                invalid(
                  field.index(index).child('restartPolicy'),
                  'RestartContainer',
                  "must not be set to 'RestartContainer' for non-sidecar initContainers",
                ),
              ]
            : [],
        );
  return rules.resizeOfSidecars || policies.length === 0
    ? restarts
    : [
        invalid(
          field,
          policies.map((policy) => goForm('io.k8s.api.core.v1.ContainerResizePolicy', policy)),
          'must not be set for init containers',
        ),
        ...restarts,
      ];
}

function validateHostPortConflicts(containers: readonly JsonObject[], field: Path): Steps<FieldError[]> {
  const taken = new Set<string>();
  return errorsOfEach(containers, (container, position) =>
    errorsOfEach(objectsAt(container, 'ports'), (port, index) => {
      const host = numberAt(port, 'hostPort') ?? 0;
      if (host === 0) return [];
      const key = `${stringAt(port, 'protocol')}/${stringAt(port, 'hostIP')}/${host}`;
      if (taken.has(key)) return [duplicate(field.index(position).child('ports').index(index).child('hostPort'), key)];
      taken.add(key);
      return [];
    }),
  );
}
