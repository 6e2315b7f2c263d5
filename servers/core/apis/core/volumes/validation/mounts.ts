import { validateDescendingPath } from '#servers/core/validation/paths.ts';
import {
  forbidden,
  invalid,
  notFound,
  notSupported,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { errorsOfEach } from '#shared/apimachinery/validation/errors-of-each.ts';
import { givenOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { needs } from './volumes.ts';

/** `volumeMounts` and `volumeDevices` of a container. */
export function* validateMounts(
  container: JsonObject,
  volumes: ReadonlyMap<string, JsonObject>,
  field: Path,
): Steps<FieldError[]> {
  const devices = objectsAt(container, 'volumeDevices');
  const devicePaths = new Map(devices.map((device) => [stringAt(device, 'name'), stringAt(device, 'devicePath')]));
  const mountPaths = new Map(
    objectsAt(container, 'volumeMounts').map((mount) => [stringAt(mount, 'name'), stringAt(mount, 'mountPath')]),
  );
  const scope: MountScope = {
    container,
    volumes,
    devicesByName: new Set(devicePaths.keys()),
    devicePaths: new Set(devicePaths.values()),
    seen: new Set(),
  };
  const mounts = yield* errorsOfEach(objectsAt(container, 'volumeMounts'), (mount, index) =>
    validateMount(mount, scope, field.child('volumeMounts'), index),
  );
  return [...mounts, ...(yield* validateDevices(devices, mountPaths, volumes, field.child('volumeDevices')))];
}

interface MountScope {
  readonly container: JsonObject;
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly devicesByName: ReadonlySet<string>;
  readonly devicePaths: ReadonlySet<string>;
  readonly seen: Set<string>;
}

function validateMount(
  mount: JsonObject,
  { container, volumes, devicesByName, devicePaths, seen }: MountScope,
  list: Path,
  index: number,
): FieldError[] {
  const at = list.index(index);
  const [name = '', path = '', subPath = '', subPathExpr = ''] = ['name', 'mountPath', 'subPath', 'subPathExpr'].map(
    (key) => stringAt(mount, key),
  );
  const errors = needs(mount, 'name', at);
  if (!volumes.has(name)) errors.push(notFound(at.child('name'), name));
  errors.push(...needs(mount, 'mountPath', at));
  if (seen.has(path)) errors.push(invalid(at.child('mountPath'), path, 'must be unique'));
  seen.add(path);
  if (devicesByName.has(name)) errors.push(invalid(at.child('name'), name, 'must not already exist in volumeDevices'));
  if (devicePaths.has(path))
    errors.push(invalid(at.child('mountPath'), path, 'must not already exist as a path in volumeDevices'));
  // As in the reference, this path lacks the index of the mount.
  if (subPath !== '') errors.push(...validateDescendingPath(subPath, list.child('subPath')));
  if (subPathExpr !== '') {
    if (subPath !== '')
      errors.push(invalid(at.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
    errors.push(...validateDescendingPath(subPathExpr, list.child('subPathExpr')));
  }
  return [
    ...errors,
    ...validatePropagation(mount, container, list),
    ...validateRecursion(mount, list.child('recursiveReadOnly')),
  ];
}

function validateRecursion(mount: JsonObject, field: Path): FieldError[] {
  const [mode, propagation] = [mount['recursiveReadOnly'], mount['mountPropagation'] ?? 'None'];
  const errors = givenOneOf(mode, ['Disabled', 'Enabled', 'IfPossible'], field);
  if (errors.length > 0 || mode === undefined || mode === 'Disabled') return errors;
  return [
    ...(booleanAt(mount, 'readOnly') === true ? [] : [forbidden(field, 'may only be specified when readOnly is true')]),
    ...(propagation === 'None'
      ? []
      : [forbidden(field, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

function validatePropagation(mount: JsonObject, container: JsonObject, field: Path): FieldError[] {
  const mode = mount['mountPropagation'];
  const known = ['Bidirectional', 'HostToContainer', 'None'];
  if (typeof mode !== 'string') return [];
  if (!known.includes(mode)) return [notSupported(field.child('mountPropagation'), mode, known)];
  const privileged = booleanAt(container, 'securityContext', 'privileged') === true;
  return mode === 'Bidirectional' && !privileged
    ? [
        forbidden(
          field.child('mountPropagation'),
          'Bidirectional mount propagation is available only to privileged containers',
        ),
      ]
    : [];
}

function validateDevices(
  devices: readonly JsonObject[],
  mountPaths: ReadonlyMap<string, string>,
  volumes: ReadonlyMap<string, JsonObject>,
  field: Path,
): Steps<FieldError[]> {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  const pathsOfMounts = new Set(mountPaths.values());
  return errorsOfEach(devices, (device, index) => {
    const at = field.index(index);
    const [name = '', path = ''] = ['name', 'devicePath'].map((key) => stringAt(device, key));
    const volume = volumes.get(name);
    const isClaim =
      volume !== undefined &&
      (objectAt(volume, 'persistentVolumeClaim') ?? objectAt(volume, 'ephemeral')) !== undefined;
    const errors = needs(device, 'name', at);
    if (names.has(name)) errors.push(invalid(at.child('name'), name, 'must be unique'));
    if (volume && !isClaim)
      errors.push(
        invalid(
          at.child('name'),
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      );
    if (!volume) errors.push(notFound(at.child('name'), name));
    errors.push(...needs(device, 'devicePath', at));
    if (paths.has(path)) errors.push(invalid(at.child('devicePath'), path, 'must be unique'));
    if (path.split('/').includes('..'))
      errors.push(invalid(at.child('devicePath'), path, "can not contain backsteps ('..')"));
    else paths.add(path);
    if (pathsOfMounts.has(path))
      errors.push(invalid(at.child('devicePath'), path, 'must not already exist as a path in volumeMounts'));
    if (mountPaths.has(name)) errors.push(invalid(at.child('name'), name, 'must not already exist in volumeMounts'));
    if (name !== '') names.add(name);
    return errors;
  });
}
