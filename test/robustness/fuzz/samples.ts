/** Inputs that fuzzing starts from. */

export const podJson = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'a',
    labels: { app: 'a' },
    annotations: { 'b/c': '"\\\u2028<é😀' },
    finalizers: ['x/y'],
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u', controller: true }],
  },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'i',
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        resources: { limits: { cpu: '100m', memory: '1Gi' } },
        env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        livenessProbe: { httpGet: { port: 'http', path: '/' } },
      },
    ],
    tolerations: [{ key: 'k', operator: 'Exists', tolerationSeconds: 3 }],
    volumes: [{ name: 'v', configMap: { name: 'm', items: [{ key: 'k', path: 'p', mode: 420 }] } }],
    activeDeadlineSeconds: 5,
  },
  status: { startTime: '2020-01-01T00:00:00Z', conditions: [{ type: 'Ready', status: 'True', lastProbeTime: null }] },
});

export const configMapJson =
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","creationTimestamp":null},"data":{"__proto__":"x","k":"v"},"binaryData":{"b":"AAEC/w=="},"immutable":false}';

export const deploymentYaml = `# a comment
apiVersion: apps/v1
kind: Deployment
metadata: {name: a, labels: &l {app: "a"}}
spec:
  replicas: 3
  selector:
    matchLabels: *l
  strategy: {rollingUpdate: {maxSurge: 25%, maxUnavailable: 1}}
  template:
    metadata:
      labels:
        <<: *l
    spec:
      containers:
      - name: c
        image: >-
          i:1
        args: ["0x1f", !!str 5]
`;

export const scalarsYaml =
  'a: [0x1f, 0o17, 0b1, 1e3, -.5, .inf, .NaN, ~, yes, Off, 2020-01-01, !!str 5, !!binary aGk=, 12:30:45, +1_000]\nb: |+\n  text\n\n? c\n: "\\u0041\\x41"\n';

export const jsonTokens = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\u0000',
  '\\ud800',
  '\\u',
  '1e999',
  '-0',
  '9223372036854775808',
  '1.0',
  'null',
  'true',
  '"__proto__":',
  '"constructor":',
  '"metadata":',
  '"a":{',
  '[[',
  '{"a":',
  '\xff',
  '\xed\xa0\x80',
  ' ',
  '"kind":"List","items":[',
  '\x00',
];

export const yamlTokens = [
  '\n',
  '  ',
  '- ',
  ': ',
  '&a ',
  '*a',
  '<<: ',
  '? ',
  '| ',
  '>',
  '!!binary ',
  '!!set ',
  '!!js/function ',
  '---\n',
  '...\n',
  '%YAML 1.2\n',
  '{',
  '[',
  '"',
  "'",
  '\t',
  '__proto__: ',
  '{a: ',
  '#',
  '\u0000',
  '[*a, *a, *a, *a]',
  '~',
  'null: ',
];

export const wireTokens = [
  '\x0a',
  '\x12',
  '\xff\xff\xff\xff\x0f',
  '\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01',
  '\x80',
  '\x00',
  '\x0b',
  '\x0c',
  'k8s\x00',
  '\x0a\x7f',
  '\x12\x80\x80\x80\x80\x08',
  '\x0a\x02\x0a\x00',
  '\x08\x01',
  '\x09',
  '\x0d',
];
