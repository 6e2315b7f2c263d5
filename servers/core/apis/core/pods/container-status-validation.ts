import type { Gates } from '#servers/core/gates/gates.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, listAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isInRange } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';

// Validates the container statuses that kubelets report (pkg/apis/core/validation, ValidatePodStatusUpdate).

const maxId = 2_147_483_647;
const maxMessageBytes = 1024;
const maxImageRefBytes = 256;
const status = path('status');
const healths = ['Healthy', 'Unhealthy', 'Unknown'];
/** Each list of statuses, and the list of containers in the spec that it belongs to. */
const lists: Readonly<Record<string, string | undefined>> = {
  containerStatuses: 'containers',
  initContainerStatuses: 'initContainers',
  ephemeralContainerStatuses: undefined,
};

/** Validates users, device health and image volumes in the status of all containers. */
export function validateContainerStatuses(pod: KubeObject, gates: Gates): FieldError[] {
  const each = (validate: (item: JsonObject, field: Path) => FieldError[]): FieldError[] =>
    Object.keys(lists).flatMap((list) =>
      objectsAt(pod, 'status', list).flatMap((item, index) => validate(item, status.child(list).index(index))),
    );
  const os = stringAt(pod, 'spec', 'os', 'name') || 'linux';
  return [
    ...each((item, field) => validateUser(objectAt(item, 'user', 'linux'), os, field.child('user', 'linux'))),
    ...Object.entries(lists).flatMap(([list, specs]) =>
      specs === undefined
        ? []
        : validateDevices(objectsAt(pod, 'status', list), objectsAt(pod, 'spec', specs), status.child(list)),
    ),
    ...(gates.ImageVolumeWithDigest
      ? each((item, field) =>
          objectsAt(item, 'volumeMounts').flatMap((mount, index) =>
            validateVolumeStatus(objectAt(mount, 'volumeStatus', 'image'), field.child('volumeMounts').index(index)),
          ),
        )
      : []),
  ];
}

function validateUser(user: JsonObject | undefined, os: string, field: Path): FieldError[] {
  if (user === undefined) return [];
  if (os === 'windows') return [forbidden(field, 'cannot be set for a windows pod')];
  if (os !== 'linux') return [];
  return [
    ...['uid', 'gid'].flatMap((key) =>
      messages(isInRange(int64At(user, key) ?? 0, 0, maxId), field.child(key), int64At(user, key) ?? 0),
    ),
    ...listAt(user, 'supplementalGroups').flatMap((id, index) =>
      messages(isInRange(id as Int64, 0, maxId), field.child('supplementalGroups').index(index), id as Int64),
    ),
  ];
}

/** Validates the resources allocated to the containers of one list of the spec. */
function validateDevices(
  statuses: readonly JsonObject[],
  containers: readonly JsonObject[],
  field: Path,
): FieldError[] {
  if (statuses.every((item) => listAt(item, 'allocatedResourcesStatus').length === 0)) return [];
  // Of containers with the same name, the first counts.
  const known = new Map(
    containers.toReversed().map((container) => [stringAt(container, 'name'), allocatable(container)]),
  );
  return statuses.flatMap((item, index) => {
    const at = field.index(index).child('allocatedResourcesStatus');
    return objectsAt(item, 'allocatedResourcesStatus').flatMap((allocated, position) =>
      validateAllocated(allocated, known.get(stringAt(item, 'name')), at.index(position)),
    );
  });
}

/** The names of the resources that a container may be allocated. */
function allocatable(container: JsonObject): ReadonlySet<string> {
  const claims = objectsAt(container, 'resources', 'claims').map(
    (claim) => `claim:${[stringAt(claim, 'name'), stringAt(claim, 'request')].filter((part) => part !== '').join('/')}`,
  );
  const requests = Object.keys(objectAt(container, 'resources', 'requests') ?? {});
  return new Set([...claims, ...requests.filter((name) => !isClaim(name))]);
}

function isClaim(name: string): boolean {
  return name.startsWith('claim:');
}

/** Validates one allocated resource; the status of a container that the spec does not have is not checked. */
function validateAllocated(allocated: JsonObject, known: ReadonlySet<string> | undefined, field: Path): FieldError[] {
  const name = stringAt(allocated, 'name');
  const text = isClaim(name)
    ? "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
    : "must match one of the container's resource requests";
  const repeated = repetitions(objectsAt(allocated, 'resources').map((resource) => stringAt(resource, 'resourceID')));
  return [
    ...(known === undefined || known.has(name) ? [] : [invalid(field.child('name'), name, text)]),
    ...objectsAt(allocated, 'resources').flatMap((resource, index) =>
      validateHealth(resource, repeated[index] === true, field.child('resources').index(index)),
    ),
  ];
}

function validateHealth(resource: JsonObject, isTwice: boolean, field: Path): FieldError[] {
  const [health, message, id] = [stringAt(resource, 'health'), resource['message'], stringAt(resource, 'resourceID')];
  const at = field.child('message');
  return [
    ...(healths.includes(health) ? [] : [notSupported(field.child('health'), health, healths)]),
    ...(typeof message !== 'string'
      ? []
      : message === ''
        ? [required(at, 'must be non-empty if specified')]
        : Buffer.byteLength(message) > maxMessageBytes
          ? [tooLong(at, '', maxMessageBytes)]
          : []),
    ...(isTwice ? [duplicate(field.child('resourceID'), id)] : []),
  ];
}

/** Validates the status of a mounted image volume (KEP-4639). */
function validateVolumeStatus(image: JsonObject | undefined, mount: Path): FieldError[] {
  if (image === undefined) return [];
  const reference = stringAt(image, 'imageRef');
  const field = mount.child('volumeStatus', 'imageVolumeStatus', 'imageRef');
  return reference === ''
    ? [required(field, 'imageRef must not be empty')]
    : Buffer.byteLength(reference) > maxImageRefBytes
      ? [tooLong(field, '', maxImageRefBytes)]
      : [];
}
