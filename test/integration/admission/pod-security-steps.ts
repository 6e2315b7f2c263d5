import { pod, restrictedContainer } from './pod.ts';
import type { Step } from './step.ts';

const label = 'pod-security.kubernetes.io/';
type Json = Record<string, unknown>;

function namespace(name: string, labels: Record<string, string>): Step[] {
  const prefixed = Object.fromEntries(Object.entries(labels).map(([key, value]) => [label + key, value]));
  return [
    {
      name: `namespace ${name}`,
      method: 'POST',
      path: '/api/v1/namespaces',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: prefixed } },
    },
    {
      name: `account of ${name}`,
      method: 'POST',
      path: `/api/v1/namespaces/${name}/serviceaccounts`,
      body: {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default' },
        automountServiceAccountToken: false,
      },
    },
  ];
}

function create(name: string, where: string, body: unknown): Step {
  return {
    name: `${where}: ${name}`,
    method: 'POST',
    path: `/api/v1/namespaces/${where}/pods?dryRun=All`,
    body,
    settles: true,
  };
}

function relabel(name: string, where: string, labels: Record<string, string | null>): Step {
  return {
    name,
    method: 'PATCH',
    path: `/api/v1/namespaces/${where}`,
    body: {
      metadata: { labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [label + key, value])) },
    },
    settles: true,
  };
}

/** What the baseline forbids, one by one. */
const baseline: readonly (readonly [string, Json])[] = [
  ['host namespaces', pod('a', { hostPID: true, hostIPC: true })],
  ['privileged', pod('a', {}, { securityContext: { privileged: true } })],
  [
    'capabilities',
    pod(
      'a',
      { initContainers: [{ name: 'i', image: 'i', securityContext: { capabilities: { add: ['NET_RAW'] } } }] },
      { securityContext: { capabilities: { add: ['SYS_ADMIN', 'KILL', 'BPF'] } } },
    ),
  ],
  [
    'host path',
    pod('a', {
      volumes: [
        { name: 'h', hostPath: { path: '/' } },
        { name: 'k', hostPath: { path: '/' } },
      ],
    }),
  ],
  [
    'host ports',
    pod(
      'a',
      {},
      {
        ports: [
          { containerPort: 1, hostPort: 1 },
          { containerPort: 2, hostPort: 2 },
        ],
      },
    ),
  ],
  [
    'AppArmor',
    pod(
      'a',
      { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
      { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
    ),
  ],
  [
    'SELinux',
    pod(
      'a',
      { securityContext: { seLinuxOptions: { type: 'spc_t', user: 'u' } } },
      { securityContext: { seLinuxOptions: { role: 'r' } } },
    ),
  ],
  ['seccomp', pod('a', { securityContext: { seccompProfile: { type: 'Unconfined' } } })],
  [
    'sysctls',
    pod('a', {
      securityContext: {
        sysctls: [
          { name: 'net.ipv4.tcp_rmem', value: '1' },
          { name: 'kernel.msgmax', value: '1' },
        ],
      },
    }),
  ],
  [
    'host probes',
    pod(
      'a',
      {},
      {
        livenessProbe: { httpGet: { port: 1, host: 'h' } },
        lifecycle: { preStop: { tcpSocket: { port: 1, host: 'j' } } },
      },
    ),
  ],
  ['harmless', pod('a')],
];

/** What only the restricted level forbids. */
const restricted: readonly (readonly [string, Json])[] = [
  ['nothing said', pod('a')],
  ['all said', pod('a', {}, restrictedContainer)],
  [
    'volumes',
    pod(
      'a',
      {
        volumes: [
          { name: 'h', hostPath: { path: '/' } },
          { name: 'n', nfs: { server: 's', path: '/' } },
          { name: 'e', emptyDir: {} },
        ],
      },
      restrictedContainer,
    ),
  ],
  ['root', pod('a', { securityContext: { runAsUser: 0, runAsNonRoot: false } }, restrictedContainer)],
  [
    'root of a container',
    pod(
      'a',
      {},
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'], add: ['CHOWN'] },
          runAsNonRoot: false,
          runAsUser: 0,
          seccompProfile: { type: 'Unconfined' },
        },
      },
    ),
  ],
  ['host namespaces too', pod('a', { hostNetwork: true }, restrictedContainer)],
];

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }], hostPID: true } },
  },
};
const cronJob = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'c' },
  spec: {
    schedule: '* * * * *',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
  },
};

/** Levels, versions and modes of pod security. */
export const podSecuritySteps: readonly Step[] = [
  ...namespace('adm-ps-b', { enforce: 'baseline' }),
  ...baseline.map(([name, body]) => create(name, 'adm-ps-b', body)),
  ...namespace('adm-ps-b-old', { enforce: 'baseline', 'enforce-version': 'v1.18' }),
  ...baseline.map(([name, body]) => create(name, 'adm-ps-b-old', body)),
  create(
    'seccomp by annotation',
    'adm-ps-b-old',
    pod('a', {}, {}, { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' } }),
  ),
  ...namespace('adm-ps-r', { enforce: 'restricted' }),
  ...restricted.map(([name, body]) => create(name, 'adm-ps-r', body)),
  { ...create('without a name', 'adm-ps-r', pod('', {}, {}, { generateName: 'picked-' })) },
  ...namespace('adm-ps-r-old', { enforce: 'restricted', 'enforce-version': 'v1.20' }),
  ...restricted.map(([name, body]) => create(name, 'adm-ps-r-old', body)),
  ...namespace('adm-ps-w', { warn: 'restricted', 'warn-version': 'v1.30', audit: 'baseline' }),
  create('warned', 'adm-ps-w', pod('a', { hostPID: true })),
  {
    name: 'workload warned',
    method: 'POST',
    path: '/apis/apps/v1/namespaces/adm-ps-w/deployments?dryRun=All',
    body: deployment,
  },
  {
    name: 'cron job warned',
    method: 'POST',
    path: '/apis/batch/v1/namespaces/adm-ps-w/cronjobs?dryRun=All',
    body: cronJob,
  },
  {
    name: 'workload under enforcement',
    method: 'POST',
    path: '/apis/apps/v1/namespaces/adm-ps-b/deployments?dryRun=All',
    body: deployment,
  },
  {
    name: 'wrong labels',
    method: 'POST',
    path: '/api/v1/namespaces',
    body: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'adm-ps-x', labels: { [`${label}warn`]: 'wrong' } },
    },
  },
  relabel('wrong version', 'adm-ps-w', { 'audit-version': 'v2.1' }),
  ...['a', 'b', 'c'].map((name): Step => ({
    name: `existing ${name}`,
    method: 'POST',
    path: '/api/v1/namespaces/adm-ps-w/pods',
    body: pod(name, name === 'c' ? { hostIPC: true } : {}),
  })),
  relabel('level raised', 'adm-ps-w', { enforce: 'restricted' }),
  relabel('level lowered', 'adm-ps-w', { enforce: 'baseline' }),
];
