/** Objects like kbench's, so that figures in protobuf stand beside those in JSON. */
export function benchConfigMap(name: string, labels: Readonly<Record<string, string>> = { app: 'kbench' }) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { ...labels, shard: `s${name.length % 7}` } },
    data: { a: 'x'.repeat(1024), b: 'hello' },
  };
}

export function benchPod(name: string) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'kbench', tier: 'web' }, annotations: { note: 'n'.repeat(200) } },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'main',
          image: 'registry.example/app:1',
          args: ['--port=80', '--verbose'],
          env: [
            { name: 'A', value: '1' },
            { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          ],
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
          readinessProbe: { httpGet: { path: '/ok', port: 80 } },
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }],
      tolerations: [{ key: 'a', operator: 'Exists' }],
    },
  };
}
