import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';

const core = 'io.k8s.api.core.v1.';

/**
 * Fields whose position in the reference's internal types differs from v1, each with the field that it follows
 * (pkg/apis/<group>/types.go).
 */
const moved: Readonly<Record<string, readonly (readonly [field: string, behind: string])[]>> = {
  [`${core}Volume`]: [['Quobyte', 'RBD']],
  [`${core}VolumeSource`]: [['Quobyte', 'RBD']],
  [`${core}PersistentVolumeSpec`]: [
    ['Quobyte', 'RBD'],
    ['FlexVolume', 'ISCSI'],
  ],
  [`${core}PersistentVolumeSource`]: [
    ['Quobyte', 'RBD'],
    ['FlexVolume', 'ISCSI'],
  ],
  [`${core}PodSpec`]: [
    ['SetHostnameAsFQDN', 'Subdomain'],
    ['PreemptionPolicy', 'Priority'],
    ['Overhead', 'RuntimeClassName'],
  ],
  [`${core}PodSecurityContext`]: [['FSGroupChangePolicy', 'FSGroup']],
  'io.k8s.api.batch.v1.JobSpec': [['ActiveDeadlineSeconds', 'SuccessPolicy']],
};

/** Fields that are not pointers in the internal type, with their values when they are not set. */
const unset: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> = {
  'io.k8s.api.apps.v1.RollingUpdateDaemonSet': { MaxUnavailable: 0, MaxSurge: 0 },
  'io.k8s.api.apps.v1.RollingUpdateDeployment': { MaxUnavailable: 0, MaxSurge: 0 },
  'io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy': { Partition: 0 },
};

/** Converts the members of a v1 type to those of the internal type, as the reference prints them. */
export function asInternal(model: string, members: Record<string, JsonValue>): Record<string, JsonValue> {
  const ordered = inOrder(members, getKey(moved, model) ?? []);
  for (const [name, value] of Object.entries(getKey(unset, model) ?? {}))
    setKey(ordered, name, getKey(ordered, name) ?? value);
  return model === `${core}PodSpec` ? podSpec(ordered) : ordered;
}

function inOrder(
  members: Record<string, JsonValue>,
  moves: readonly (readonly [string, string])[],
): Record<string, JsonValue> {
  if (moves.length === 0) return members;
  const names = Object.keys(members);
  for (const [field, behind] of moves) {
    const from = names.indexOf(field);
    if (from < 0) continue;
    names.splice(from, 1);
    names.splice(names.indexOf(behind) + 1, 0, field);
  }
  return Object.fromEntries(names.map((name) => [name, getKey(members, name) ?? null]));
}

const emptySecurityContext = {
  SELinuxOptions: null,
  WindowsOptions: null,
  RunAsUser: null,
  RunAsGroup: null,
  RunAsNonRoot: null,
  SupplementalGroups: null,
  SupplementalGroupsPolicy: null,
  FSGroup: null,
  FSGroupChangePolicy: null,
  Sysctls: null,
  SeccompProfile: null,
  AppArmorProfile: null,
  SELinuxChangePolicy: null,
} as const;

/** Moves the fields that share host namespaces into the security context, which is always present. */
function podSpec({
  DeprecatedServiceAccount: _old,
  HostNetwork,
  HostPID,
  HostIPC,
  ShareProcessNamespace,
  HostUsers,
  ...members
}: Record<string, JsonValue>): Record<string, JsonValue> {
  const shared = {
    HostNetwork: HostNetwork ?? false,
    HostPID: HostPID ?? false,
    HostIPC: HostIPC ?? false,
    ShareProcessNamespace: ShareProcessNamespace ?? null,
    HostUsers: HostUsers ?? null,
  };
  const { SecurityContext: context } = members;
  return {
    ...members,
    SecurityContext: {
      ...shared,
      ...(context !== null && typeof context === 'object' && !Array.isArray(context) ? context : emptySecurityContext),
    },
  };
}
