import { goForm } from '#servers/core/validation/go-form.ts';
import { validateDescendingPath } from '#servers/core/validation/paths.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  type BadValue,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, int64At, listAt, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { givenOneOf, messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isInRange } from '#shared/apimachinery/validation/names.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import type { PodRules } from './pod-rules.ts';
import { validateWindowsOptions } from './windows-options.ts';

const maxId = 2_147_483_647;
/** The longest path of Linux without the zero byte at its end. */
const maxProfileBytes = 4_095;
const sysctlPattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctl = new RegExp(sysctlPattern);

function validateIds(context: JsonObject, names: readonly string[], field: Path): FieldError[] {
  return names.flatMap((name) => {
    const id = int64At(context, name);
    return id === undefined ? [] : messages(isInRange(id, 0, maxId), field.child(name), id);
  });
}

/**
 * Validates the `securityContext` of a pod. `mountOption`: SELinux labels of volumes may be set by mount options
 * (KEP-1710).
 */
export function validatePodSecurityContext(spec: JsonObject, mountOption: boolean, field: Path): FieldError[] {
  const context = objectAt(spec, 'securityContext');
  if (!context) return [];
  const errors = validateIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], field);
  for (const [index, id] of listAt(context, 'supplementalGroups').entries())
    errors.push(...messages(isInRange(id as Int64, 0, maxId), field.child('supplementalGroups').index(index), id));
  if (booleanAt(spec, 'shareProcessNamespace') && booleanAt(spec, 'hostPID'))
    errors.push(
      invalid(field.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled'),
    );
  return [
    ...errors,
    ...validateSysctls(spec, objectsAt(context, 'sysctls'), field.child('sysctls')),
    ...givenOneOf(context['fsGroupChangePolicy'], ['Always', 'OnRootMismatch'], field.child('fsGroupChangePolicy')),
    ...validateSeccomp(objectAt(context, 'seccompProfile'), field.child('seccompProfile')),
    ...validateWindowsOptions(objectAt(context, 'windowsOptions'), field.child('windowsOptions')),
    ...validateAppArmor(objectAt(context, 'appArmorProfile'), field.child('appArmorProfile')),
    ...givenOneOf(context['supplementalGroupsPolicy'], ['Merge', 'Strict'], field.child('supplementalGroupsPolicy')),
    ...givenOneOf(
      context['seLinuxChangePolicy'],
      mountOption ? ['MountOption', 'Recursive'] : ['Recursive'],
      field.child('seLinuxChangePolicy'),
    ),
  ];
}

function validateSysctls(spec: JsonObject, sysctls: readonly JsonObject[], field: Path): FieldError[] {
  const seen = new Set<string>();
  return sysctls.flatMap((item, index) => {
    const name = stringAt(item, 'name');
    const at = field.index(index).child('name');
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(at, ''));
    else if (name.length > 253 || !sysctl.test(name))
      errors.push(invalid(at, name, `must have at most 253 characters and match regex ${sysctlPattern}`));
    else if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    const plain = name.replaceAll('/', '.');
    if (booleanAt(spec, 'hostNetwork') && plain.startsWith('net.'))
      errors.push(invalid(at, name, "may not be specified when 'hostNetwork' is true"));
    if (booleanAt(spec, 'hostIPC') && /^(kernel\.(shm|msg|sem)|fs\.mqueue\.)/.test(plain))
      errors.push(invalid(at, name, "may not be specified when 'hostIPC' is true"));
    return errors;
  });
}

/** `securityContext` of a container. */
export function validateContainerSecurity(
  context: JsonObject | undefined,
  { hostUsers, rules: { allowPrivileged } }: { readonly hostUsers: boolean; readonly rules: PodRules },
  field: Path,
): FieldError[] {
  if (!context) return [];
  const errors =
    booleanAt(context, 'privileged') === true && !allowPrivileged
      ? [forbidden(field.child('privileged'), 'disallowed by cluster policy')]
      : [];
  errors.push(...validateIds(context, ['runAsUser', 'runAsGroup'], field));
  const procMount = stringAt(context, 'procMount');
  errors.push(...givenOneOf(context['procMount'], ['Default', 'Unmasked'], field.child('procMount')));
  if (hostUsers && procMount === 'Unmasked')
    errors.push(invalid(field.child('procMount'), procMount, '`hostUsers` must be false to use `Unmasked`'));
  errors.push(...validateSeccomp(objectAt(context, 'seccompProfile'), field.child('seccompProfile')));
  if (booleanAt(context, 'allowPrivilegeEscalation') === false) errors.push(...validateEscalation(context, field));
  return [
    ...errors,
    ...validateWindowsOptions(objectAt(context, 'windowsOptions'), field.child('windowsOptions')),
    ...validateAppArmor(objectAt(context, 'appArmorProfile'), field.child('appArmorProfile')),
  ];
}

function validateEscalation(context: JsonObject, field: Path): FieldError[] {
  let shown: BadValue;
  const because = (what: string) => {
    shown ??= goForm('io.k8s.api.core.v1.SecurityContext', context);
    return invalid(field, shown, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
  };
  return [
    ...(booleanAt(context, 'privileged') === true ? [because('`privileged` to true')] : []),
    ...stringsAt(context, 'capabilities', 'add')
      .filter((name) => name === 'CAP_SYS_ADMIN')
      .map(() => because('`capabilities.Add` CAP_SYS_ADMIN')),
  ];
}

function validateSeccomp(profile: JsonObject | undefined, field: Path): FieldError[] {
  if (!profile) return [];
  const type = stringAt(profile, 'type');
  const types = ['Localhost', 'RuntimeDefault', 'Unconfined'];
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(field.child('type'), 'type is required when seccompProfile is set'));
  else if (!types.includes(type)) errors.push(notSupported(field.child('type'), type, types));
  const path = profile['localhostProfile'];
  const at = field.child('localhostProfile');
  if (type !== 'Localhost')
    return path === undefined
      ? errors
      : [
          ...errors,
          invalid(
            at,
            goForm('io.k8s.api.core.v1.SeccompProfile', profile),
            'can only be set when seccomp type is Localhost',
          ),
        ];
  return [
    ...errors,
    ...(typeof path === 'string'
      ? validateDescendingPath(path, at)
      : [required(at, 'must be set when seccomp type is Localhost')]),
  ];
}

export function validateAppArmor(profile: JsonObject | undefined, field: Path): FieldError[] {
  if (!profile) return [];
  const type = stringAt(profile, 'type');
  const path = profile['localhostProfile'];
  const at = field.child('localhostProfile');
  if (type === 'Localhost') return validateAppArmorPath(typeof path === 'string' ? path : '', at);
  const known = ['Localhost', 'RuntimeDefault', 'Unconfined'];
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(field.child('type'), 'type is required when appArmorProfile is set'));
  else if (!known.includes(type)) errors.push(notSupported(field.child('type'), type, known));
  else if (path !== undefined) errors.push(invalid(at, path, 'can only be set when AppArmor type is Localhost'));
  return errors;
}

function validateAppArmorPath(path: string, field: Path): FieldError[] {
  if (path.trim() !== path) return [invalid(field, path, 'must not be padded with whitespace')];
  if (path === '') return [required(field, 'must be set when AppArmor type is Localhost')];
  return Buffer.byteLength(path) > maxProfileBytes ? [tooLong(field, '', maxProfileBytes)] : [];
}
