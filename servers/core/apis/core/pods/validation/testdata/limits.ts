import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { container, recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const httpGet = { path: '/', port: 80 };
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} };
const weighted = (weight: number): JsonObject => ({
  weight,
  preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
});
const weightedPods = (weight: number): JsonObject => ({ weight, podAffinityTerm: { topologyKey: 'zone' } });
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const sysctls = (name: string): JsonObject[] => [{ name, value: '1' }];

const restartRule = (codes: number): JsonObject => ({
  action: 'Restart',
  exitCodes: { operator: 'In', values: times(codes, (code) => code + 1) },
});

/** Search paths that have so many characters with the spaces between them. */
function searchesOf(characters: number): string[] {
  const longest = [63, 63, 63, 61].map((length) => 'a'.repeat(length)).join('.');
  const rest = characters - 8 * (longest.length + 1);
  return [...times(8, () => longest), 'a'.repeat(rest)];
}

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('', 'v1', 'pods', 'Pod', {
      spec: { containers: [container], terminationGracePeriodSeconds: 30 },
    }),
    limits: [
      [
        'spec.activeDeadlineSeconds',
        1,
        0,
        'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
      ],
      [
        'spec.activeDeadlineSeconds',
        2_147_483_647,
        2_147_483_648,
        'spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive',
      ],
      ['spec.containers', [container], [], 'spec.containers: Required value'],
      [
        'spec.containers',
        [container, { ...container, name: 'd' }],
        [container, container],
        'spec.containers[1].name: Duplicate value: "c"',
      ],
      [
        'spec.containers[0].name',
        'a'.repeat(63),
        'a'.repeat(64),
        'spec.containers[0].name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'spec.initContainers',
        [{ ...container, name: 'i', restartPolicy: 'Never', restartPolicyRules: [restartRule(255)] }],
        [{ ...container, name: 'i', restartPolicyRules: [{ action: 'Halt' }] }],
        'spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
      ],
      [
        'spec.initContainers',
        [{ ...container, name: 'i', restartPolicy: 'Never', restartPolicyRules: [restartRule(255)] }],
        [{ ...container, name: 'i', restartPolicy: 'Never', restartPolicyRules: [restartRule(256)] }],
        'spec.initContainers[0].restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items',
      ],
      [
        'spec.volumes',
        [{ name: 'v', image: { reference: 'i' } }],
        [{ name: 'v', image: {} }],
        'spec.volumes[0].image.reference: Required value',
      ],
      ['spec.containers[0].image', 'i', '', 'spec.containers[0].image: Required value'],
      [
        'spec.containers[0].image',
        'i',
        ' i',
        'spec.containers[0].image: Invalid value: " i": must not have leading or trailing whitespace',
      ],
      [
        'spec.containers[0].imagePullPolicy',
        'Never',
        'Sometimes',
        'spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
      ],
      [
        'spec.containers[0].terminationMessagePolicy',
        'FallbackToLogsOnError',
        'Log',
        'spec.containers[0].terminationMessagePolicy: Unsupported value: "Log": supported values: "File", "FallbackToLogsOnError"',
      ],
      [
        'spec.containers[0].ports',
        [{ containerPort: 1 }],
        [{ containerPort: 0 }],
        'spec.containers[0].ports[0].containerPort: Required value',
      ],
      [
        'spec.containers[0].ports',
        [{ containerPort: 65_535 }],
        [{ containerPort: 65_536 }],
        'spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.containers[0].ports',
        [{ containerPort: 1, name: 'a'.repeat(15) }],
        [{ containerPort: 1, name: 'a'.repeat(16) }],
        'spec.containers[0].ports[0].name: Invalid value: "aaaaaaaaaaaaaaaa": must be no more than 15 characters',
      ],
      [
        'spec.containers[0].ports',
        [{ containerPort: 1, hostPort: 65_535 }],
        [{ containerPort: 1, hostPort: 65_536 }],
        'spec.containers[0].ports[0].hostPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.containers[0].ports',
        [{ containerPort: 1, protocol: 'SCTP' }],
        [{ containerPort: 1, protocol: 'ICMP' }],
        'spec.containers[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      ],
      ['spec.containers[0].env', [{ name: '1 a' }], [{ name: '' }], 'spec.containers[0].env[0].name: Required value'],
      [
        'spec.containers[0].env',
        [{ name: 'a' }],
        [{ name: 'a=b' }],
        `spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      ],
      [
        'spec.containers[0].livenessProbe',
        { httpGet, periodSeconds: 0 },
        { httpGet, periodSeconds: -1 },
        'spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.containers[0].livenessProbe',
        { httpGet, failureThreshold: 0 },
        { httpGet, failureThreshold: -1 },
        'spec.containers[0].livenessProbe.failureThreshold: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.containers[0].livenessProbe',
        { httpGet, successThreshold: 1 },
        { httpGet, successThreshold: 2 },
        'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
      ],
      [
        'spec.containers[0].livenessProbe',
        { httpGet, terminationGracePeriodSeconds: 1 },
        { httpGet, terminationGracePeriodSeconds: 0 },
        'spec.containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
      ],
      [
        'spec.containers[0].readinessProbe',
        { httpGet },
        { httpGet, terminationGracePeriodSeconds: 1 },
        'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes',
      ],
      [
        'spec.containers[0].readinessProbe',
        { httpGet },
        { httpGet, tcpSocket: { port: 80 } },
        'spec.containers[0].readinessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
      ],
      [
        'spec.containers[0].readinessProbe',
        { tcpSocket: { port: 65_535 } },
        { tcpSocket: { port: 65_536 } },
        'spec.containers[0].readinessProbe.tcpSocket.port: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.containers[0].readinessProbe',
        { grpc: { port: 1 } },
        { grpc: { port: 0 } },
        'spec.containers[0].readinessProbe.grpc.port: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.containers[0].readinessProbe',
        { exec: { command: ['a'] } },
        { exec: { command: [] } },
        'spec.containers[0].readinessProbe.exec.command: Required value',
      ],
      [
        'spec.containers[0].lifecycle',
        { preStop: { sleep: { seconds: 30 } } },
        { preStop: { sleep: { seconds: 31 } } },
        'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
      ],
      [
        'spec.containers[0].lifecycle',
        { preStop: { sleep: { seconds: 0 } } },
        { preStop: { sleep: { seconds: -1 } } },
        'spec.containers[0].lifecycle.preStop.sleep: Invalid value: -1: must be non-negative and less than terminationGracePeriodSeconds (30)',
      ],
      [
        'spec.containers[0].resources',
        { requests: { cpu: '1' }, limits: { cpu: '1' } },
        { requests: { cpu: '2' }, limits: { cpu: '1' } },
        'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
      ],
      [
        'spec.containers[0].resources',
        { requests: { cpu: '0' } },
        { requests: { cpu: '-1' } },
        'spec.containers[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      ],
      [
        'spec.containers[0].securityContext',
        { runAsUser: 0 },
        { runAsUser: -1 },
        'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      ],
      [
        'spec.containers[0].securityContext',
        { runAsGroup: 2_147_483_647 },
        { runAsGroup: 2_147_483_648 },
        'spec.containers[0].securityContext.runAsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
      ],
      [
        'spec.containers[0].securityContext',
        { procMount: 'Default' },
        { procMount: 'Unmasked' },
        'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
      ],
      [
        'spec.containers[0].securityContext',
        { appArmorProfile: { type: 'Localhost', localhostProfile: 'a'.repeat(4_095) } },
        { appArmorProfile: { type: 'Localhost', localhostProfile: 'a'.repeat(4_096) } },
        'spec.containers[0].securityContext.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes',
      ],
      [
        'spec.securityContext',
        { fsGroup: 2_147_483_647 },
        { fsGroup: 2_147_483_648 },
        'spec.securityContext.fsGroup: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
      ],
      [
        'spec.securityContext',
        { supplementalGroups: [0] },
        { supplementalGroups: [-1] },
        'spec.securityContext.supplementalGroups[0]: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      ],
      [
        'spec.securityContext',
        { sysctls: sysctls('a'.repeat(253)) },
        { sysctls: sysctls('a'.repeat(254)) },
        'spec.securityContext.sysctls[0].name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      ],
      [
        'spec.dnsConfig',
        { nameservers: times(3, (i) => `10.0.0.${i}`) },
        { nameservers: times(4, (i) => `10.0.0.${i}`) },
        'spec.dnsConfig.nameservers: Invalid value: ["10.0.0.0","10.0.0.1","10.0.0.2","10.0.0.3"]: must not have more than 3 nameservers',
      ],
      [
        'spec.dnsConfig',
        { searches: times(32, (i) => `s${i}`) },
        { searches: times(33, (i) => `s${i}`) },
        'spec.dnsConfig.searches: Invalid value: ["s0","s1","s2","s3","s4","s5","s6","s7","s8","s9","s10","s11","s12","s13","s14","s15","s16","s17","s18","s19","s20","s21","s22","s23","s24","s25","s26","s27","s28","s29","s30","s31","s32"]: must not have more than 32 search paths',
      ],
      [
        'spec.dnsConfig',
        { searches: searchesOf(2_048) },
        { searches: searchesOf(2_049) },
        `spec.dnsConfig.searches: Invalid value: ${JSON.stringify(searchesOf(2_049))}: must not have more than 2048 characters (including spaces) in the search list`,
      ],
      [
        'spec.dnsConfig',
        { options: [{ name: 'a' }] },
        { options: [{ name: '' }] },
        'spec.dnsConfig.options[0]: Required value: must not be empty',
      ],
      [
        'spec.dnsPolicy',
        'ClusterFirst',
        'None',
        'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
      ],
      [
        'spec.restartPolicy',
        'Never',
        'Sometimes',
        'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      ],
      [
        'spec.hostname',
        'a'.repeat(63),
        'a'.repeat(64),
        'spec.hostname: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'spec.hostnameOverride',
        'a'.repeat(60),
        'a.'.repeat(32) + 'a',
        'spec.hostnameOverride: Too long: may not be more than 64 bytes',
      ],
      ['spec.subdomain', 'a', 'a.b', 'spec.subdomain: Invalid value: "a.b": must not contain dots'],
      [
        'spec.hostAliases',
        [{ ip: '10.0.0.1' }],
        [{ ip: '10.0.0.256' }],
        'spec.hostAliases[0].ip: Invalid value: "10.0.0.256": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
      [
        'spec.tolerations',
        [{ operator: 'Exists' }],
        [{ operator: 'Equal' }],
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
      [
        'spec.tolerations',
        [{ key: 'a', effect: 'NoExecute', tolerationSeconds: 1 }],
        [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 }],
        `spec.tolerations[0].effect: Invalid value: "NoSchedule": effect must be 'NoExecute' when \`tolerationSeconds\` is set`,
      ],
      [
        'spec.tolerations',
        [{ key: 'a', operator: 'Exists' }],
        [{ key: 'a', operator: 'Exists', value: 'b' }],
        `spec.tolerations[0].operator: Invalid value: "b": value must be empty when \`operator\` is 'Exists'`,
      ],
      [
        'spec.tolerations',
        [{ key: 'a', value: 'b'.repeat(63) }],
        [{ key: 'a', value: 'b'.repeat(64) }],
        'spec.tolerations[0].operator: Invalid value: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": must be no more than 63 bytes',
      ],
      [
        'spec.affinity',
        { nodeAffinity: { [preferred]: [weighted(1)] } },
        { nodeAffinity: { [preferred]: [weighted(0)] } },
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
      ],
      [
        'spec.affinity',
        { nodeAffinity: { [preferred]: [weighted(100)] } },
        { nodeAffinity: { [preferred]: [weighted(101)] } },
        'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
      ],
      [
        'spec.affinity',
        { podAffinity: { [preferred]: [weightedPods(1)] } },
        { podAffinity: { [preferred]: [weightedPods(0)] } },
        'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
      ],
      [
        'spec.affinity',
        { podAntiAffinity: { [preferred]: [weightedPods(100)] } },
        { podAntiAffinity: { [preferred]: [weightedPods(101)] } },
        'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
      ],
      [
        'spec.topologySpreadConstraints',
        [spread],
        [{ ...spread, maxSkew: 0 }],
        'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      ],
      [
        'spec.topologySpreadConstraints',
        [{ ...spread, minDomains: 1 }],
        [{ ...spread, minDomains: 0 }],
        'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
      ],
      [
        'spec.topologySpreadConstraints',
        [spread],
        [{ ...spread, whenUnsatisfiable: 'ScheduleAnyway', minDomains: 1 }],
        'spec.topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway',
      ],
      [
        'spec.topologySpreadConstraints',
        [spread, { ...spread, topologyKey: 'host' }],
        [spread, spread],
        'spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"',
      ],
      [
        'spec.topologySpreadConstraints',
        [{ ...spread, matchLabelKeys: ['a'] }],
        [{ ...spread, labelSelector: null, matchLabelKeys: ['a'] }],
        'spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      ],
      [
        'spec.topologySpreadConstraints',
        [{ ...spread, nodeTaintsPolicy: 'Ignore' }],
        [{ ...spread, nodeTaintsPolicy: 'Heed' }],
        'spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "Heed": supported values: "Honor", "Ignore"',
      ],
      [
        'spec.schedulingGates',
        [{ name: 'a' }, { name: 'b' }],
        [{ name: 'a' }, { name: 'a' }],
        'spec.schedulingGates[1]: Duplicate value: "a"',
      ],
      [
        'spec.readinessGates',
        [{ conditionType: 'a' }],
        [{ conditionType: 'a b' }],
        `spec.readinessGates[0].conditionType: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
      [
        'spec.os',
        { name: 'linux' },
        { name: 'plan9' },
        'spec.os: Unsupported value: "plan9": supported values: "linux", "windows"',
      ],
    ],
  },
];
