import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome, RealNode } from './node.ts';

const images = 'registry.k8s.io/e2e-test-images';
const busybox = `${images}/busybox:1.37.0-1`;

/** The namespace that the list works in. */
export const namespace = 'list';

function pod(name: string, spec: Record<string, unknown>): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app: name } },
    spec: { terminationGracePeriodSeconds: 0, ...spec },
  };
}

const shell = (script: string): readonly string[] => ['sh', '-c', script];

/** Where a metrics-server listens. */
export interface MetricsServer {
  readonly address: string;
  readonly port: number;
}

function registration(metrics: MetricsServer): object[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'metrics-server', namespace },
      spec: { ports: [{ port: 443, targetPort: metrics.port }] },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'metrics-server', namespace, labels: { 'kubernetes.io/service-name': 'metrics-server' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [metrics.address], conditions: { ready: true } }],
      ports: [{ name: '', port: metrics.port, protocol: 'TCP' }],
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1beta1.metrics.k8s.io' },
      spec: {
        group: 'metrics.k8s.io',
        version: 'v1beta1',
        service: { name: 'metrics-server', namespace },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    },
  ];
}

/** A shell that echoes its input, one that fails once, an HTTP server with its Service, a registered metrics-server. */
function objects(metrics: MetricsServer | undefined): string {
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    pod('shell', {
      initContainers: [{ name: 'before', image: busybox, command: shell('echo of the init container') }],
      containers: [
        {
          name: 'c',
          image: busybox,
          stdin: true,
          command: shell('for n in 1 2 3 4 5 6 7 8; do echo line $n; done; cat'),
        },
        { name: 'talks', image: busybox, command: shell('n=0; while sleep 1; do n=$((n + 1)); echo $n; done') },
      ],
    }),
    pod('again', {
      restartPolicy: 'OnFailure',
      volumes: [{ name: 'kept', emptyDir: {} }],
      containers: [
        {
          name: 'c',
          image: busybox,
          volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
          command: shell('if [ -e /kept/ran ]; then echo second; sleep 3600; fi; touch /kept/ran; echo first; exit 1'),
        },
      ],
    }),
    pod('web', {
      containers: [
        {
          name: 'c',
          image: `${images}/agnhost:2.63.0`,
          args: ['netexec', '--http-port=8080'],
          readinessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 1 },
        },
      ],
    }),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace },
      spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
    },
    ...(metrics === undefined ? [] : registration(metrics)),
  ];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** The image of the container that `kubectl debug` adds. */
export const debugImage = busybox;

/** Resolves when all pods are ready. */
export async function createObjects(node: RealNode, kubectl: string, metrics?: MetricsServer): Promise<void> {
  const untilDone = async (command: readonly string[], input?: string): Promise<void> => {
    let outcome: Outcome | undefined;
    for (let at = 0; at < 30 && outcome?.code !== 0; at++) {
      if (at > 0) await pause(1000);
      outcome = await node.run(command, input === undefined ? {} : { input });
    }
    if (outcome?.code !== 0) throw new Error(`${command.join(' ')}: ${outcome?.stderr}`);
  };
  // A namespace has no default service account for a moment.
  await untilDone([kubectl, 'apply', '-f', '-'], objects(metrics));
  await untilDone([kubectl, '-n', namespace, 'wait', '--for=condition=Ready', 'pod', '--all', '--timeout=50s']);
  // The pod that fails once is ready in its first run, too.
  await pause(5000);
}
