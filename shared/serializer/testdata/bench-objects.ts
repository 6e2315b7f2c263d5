import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** A pod of about 3 KB, as a ReplicaSet makes it and a kubelet reports on it. */
export const podFixture: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-7d4b9c6f5d-x2x7k',
    generateName: 'web-7d4b9c6f5d-',
    namespace: 'default',
    uid: '0b2d1d2c-58a4-4a46-9b3b-2f9bb2b6d1aa',
    resourceVersion: '123456',
    creationTimestamp: '2026-01-02T03:04:05Z',
    labels: { app: 'web', 'pod-template-hash': '7d4b9c6f5d', tier: 'frontend' },
    annotations: { 'example.com/checksum': '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: 'web-7d4b9c6f5d',
        uid: '7e0d7b4e-6c6b-4a0e-8c6a-0b8a4a1f5f11',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
  spec: {
    volumes: [
      {
        name: 'kube-api-access-abcde',
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          ],
          defaultMode: 420,
        },
      },
    ],
    containers: [
      {
        name: 'web',
        image: 'registry.example.com/team/web:1.2.3',
        args: ['--listen=:8080', '--log-level=info'],
        ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
        env: [
          { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
          { name: 'MODE', value: 'production' },
        ],
        resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
        volumeMounts: [
          { name: 'kube-api-access-abcde', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
        ],
        livenessProbe: {
          httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    serviceAccountName: 'default',
    serviceAccount: 'default',
    nodeName: 'node-1',
    securityContext: {},
    schedulerName: 'default-scheduler',
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ],
    priority: 0,
    enableServiceLinks: true,
    preemptionPolicy: 'PreemptLowerPriority',
  },
  status: {
    phase: 'Running',
    hostIP: '10.0.0.1',
    podIP: '10.244.0.7',
    podIPs: [{ ip: '10.244.0.7' }],
    startTime: '2026-01-02T03:04:06Z',
    qosClass: 'Burstable',
    conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(
      (type) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: '2026-01-02T03:04:09Z' }),
    ),
    containerStatuses: [
      {
        name: 'web',
        state: { running: { startedAt: '2026-01-02T03:04:08Z' } },
        lastState: {},
        ready: true,
        restartCount: 0,
        started: true,
        image: 'registry.example.com/team/web:1.2.3',
        imageID:
          'registry.example.com/team/web@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        containerID: 'containerd://4a1f5f117e0d7b4e6c6b4a0e8c6a0b8a4a1f5f117e0d7b4e6c6b4a0e8c6a0b8a',
      },
    ],
  },
};

/** A ConfigMap of about 1.5 KB. */
export const configMapFixture: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'settings',
    namespace: 'default',
    uid: '0b2d1d2c-58a4-4a46-9b3b-2f9bb2b6d1ab',
    creationTimestamp: '2026-01-02T03:04:05Z',
    labels: { app: 'web' },
  },
  data: { 'app.conf': 'listen 8080;\nmode production;\n'.repeat(20), 'log.level': 'info', payload: 'x'.repeat(600) },
};
