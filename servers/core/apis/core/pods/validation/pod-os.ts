import {
  forbidden,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'];
const context = (...names: readonly string[]): string[] => names.map((name) => `securityContext.${name}`);

/**
 * Members of a pod's spec and of its containers that an operating system does not support, as dotted paths in the order
 * of the reference.
 */
interface Foreign {
  readonly ofPod: readonly string[];
  readonly ofContainers: readonly string[];
  readonly text: string;
}

const foreign: ReadonlyMap<string, Foreign> = new Map([
  [
    'linux',
    {
      ofPod: context('windowsOptions'),
      ofContainers: context('windowsOptions'),
      text: 'windows options cannot be set for a linux pod',
    },
  ],
  [
    'windows',
    {
      ofPod: [
        ...context('appArmorProfile', 'seLinuxOptions'),
        'hostUsers',
        'hostPID',
        'hostIPC',
        ...context('seccompProfile', 'fsGroup', 'fsGroupChangePolicy', 'sysctls'),
        'shareProcessNamespace',
        ...context('runAsUser', 'runAsGroup', 'supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy'),
      ],
      ofContainers: context(
        'appArmorProfile',
        'seLinuxOptions',
        'seccompProfile',
        'capabilities',
        'readOnlyRootFilesystem',
        'privileged',
        'allowPrivilegeEscalation',
        'procMount',
        'runAsUser',
        'runAsGroup',
      ),
      text: 'cannot be set for a windows pod',
    },
  ],
]);

/**
 * Validates the operating system of a pod, and refuses fields that it does not support (pkg/apis/core/validation,
 * validateOS, KEP-2802). `field` is the path of the spec.
 */
export function validatePodOs(spec: JsonObject, field: Path): FieldError[] {
  const os = objectAt(spec, 'os');
  if (os === undefined) return [];
  const name = stringAt(os, 'name');
  if (name === '') return [required(field.child('os', 'name'), '')];
  const known = foreign.get(name);
  if (known === undefined) return [notSupported(field.child('os'), name, [...foreign.keys()])];
  const { ofPod, ofContainers, text } = known;
  return [
    ...refuse(spec, ofPod, text, field),
    ...containerLists.flatMap((list) =>
      objectsAt(spec, list).flatMap((container, index) =>
        refuse(container, ofContainers, text, field.child(list).index(index)),
      ),
    ),
  ];
}

function refuse(holder: JsonObject, members: readonly string[], text: string, field: Path): FieldError[] {
  return members.filter((member) => isSet(holder, member)).map((member) => forbidden(field.child(member), text));
}

/** Whether a member is set. `hostPID` and `hostIPC` must be true for that, `sysctls` not empty; others may be false. */
function isSet(holder: JsonObject, member: string): boolean {
  const names = member.split('.');
  const value = getKey(objectAt(holder, ...names.slice(0, -1)), names.at(-1) ?? '');
  if (member === 'hostPID' || member === 'hostIPC') return value === true;
  return (
    value !== undefined &&
    value !== null &&
    !(member.endsWith('.sysctls') && Array.isArray(value) && value.length === 0)
  );
}
