import type { LevelVersion } from '#shared/admission/configuration/pod-security-configuration.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { ObjectMeta } from '#shared/apimachinery/object.ts';
import {
  appArmorProfile,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  seccompAnnotations,
  seLinuxOptions,
  sysctls,
  windowsHostProcess,
} from './baseline-checks.ts';
import { exceptInUserNamespaces, exceptOnWindows, type PodCheck, type PolicyViolation } from './pod-check.ts';
import {
  allowPrivilegeEscalation,
  capabilitiesRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfileBaseline,
  seccompProfileRestricted,
} from './restricted-checks.ts';

interface VersionedCheck {
  readonly id: string;
  /** Checks by the minor version in which they started to apply, newest first. */
  readonly since: readonly (readonly [minor: number, check: PodCheck])[];
  /** The id of the baseline check that this one replaces. */
  readonly replaces?: string;
}

const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const sysctls27 = [...safeSysctls, 'net.ipv4.ip_local_reserved_ports'];
const sysctls29 = [
  ...sysctls27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const sysctls32 = [...sysctls29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];
const seLinuxTypes = ['container_t', 'container_init_t', 'container_kvm_t'];

/** The checks in the order of their ids, which is the order of the messages. */
const baseline: readonly VersionedCheck[] = [
  { id: 'appArmorProfile', since: [[0, appArmorProfile]] },
  { id: 'capabilities_baseline', since: [[0, capabilitiesBaseline]] },
  { id: 'hostNamespaces', since: [[0, hostNamespaces]] },
  { id: 'hostPathVolumes', since: [[0, hostPathVolumes]] },
  { id: 'hostPorts', since: [[0, hostPorts]] },
  { id: 'hostProbesAndHostLifecycle', since: [[34, hostProbes]] },
  { id: 'privileged', since: [[0, privileged]] },
  {
    id: 'procMount',
    since: [
      [35, exceptInUserNamespaces(procMount)],
      [0, procMount],
    ],
  },
  {
    id: 'seLinuxOptions',
    since: [
      [31, seLinuxOptions(...seLinuxTypes, 'container_engine_t')],
      [0, seLinuxOptions(...seLinuxTypes)],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    since: [
      [19, seccompProfileBaseline],
      [0, seccompAnnotations],
    ],
  },
  {
    id: 'sysctls',
    since: [
      [32, sysctls(...sysctls32)],
      [29, sysctls(...sysctls29)],
      [27, sysctls(...sysctls27)],
      [0, sysctls(...safeSysctls)],
    ],
  },
  { id: 'windowsHostProcess', since: [[0, windowsHostProcess]] },
];

const restricted: readonly VersionedCheck[] = [
  {
    id: 'allowPrivilegeEscalation',
    since: [
      [25, exceptOnWindows(allowPrivilegeEscalation)],
      [8, allowPrivilegeEscalation],
    ],
  },
  {
    id: 'capabilities_restricted',
    since: [
      [25, exceptOnWindows(capabilitiesRestricted)],
      [22, capabilitiesRestricted],
    ],
    replaces: 'capabilities_baseline',
  },
  { id: 'procMount_restricted', since: [[35, procMount]], replaces: 'procMount' },
  { id: 'restrictedVolumes', since: [[0, restrictedVolumes]], replaces: 'hostPathVolumes' },
  {
    id: 'runAsNonRoot',
    since: [
      [35, exceptInUserNamespaces(runAsNonRoot)],
      [0, runAsNonRoot],
    ],
  },
  {
    id: 'runAsUser',
    since: [
      [35, exceptInUserNamespaces(runAsUser)],
      [23, runAsUser],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    since: [
      [25, exceptOnWindows(seccompProfileRestricted)],
      [19, seccompProfileRestricted],
    ],
    replaces: 'seccompProfile_baseline',
  },
];

/** All violations of the level by the pod, in the reference's order (pod-security-admission/policy). */
export function violationsOf(
  { level, minor }: LevelVersion,
  spec: JsonObject,
  metadata: ObjectMeta,
): PolicyViolation[] {
  if (level === 'privileged') return [];
  return checksOf(level, minor).flatMap((check) => check(spec, metadata) ?? []);
}

function checksOf(level: 'baseline' | 'restricted', minor: number): PodCheck[] {
  const at = ({ since }: VersionedCheck): PodCheck | undefined => since.find(([first]) => first <= minor)?.[1];
  const own = level === 'restricted' ? restricted.filter((check) => at(check) !== undefined) : [];
  const replaced = new Set(own.map((check) => check.replaces));
  return [...baseline.filter(({ id }) => !replaced.has(id)), ...own].flatMap((check) => at(check) ?? []);
}

/** `privileged (container "a" must not …), host namespaces (hostPID=true)`. */
export function printViolations(violations: readonly PolicyViolation[]): string {
  return violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}
