import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import {
  burstable,
  patchHeaders,
  podCases,
  pods,
  podSetUp,
  podTearDown,
  policy,
  putPod,
  queryOf,
  resources,
  type PodCase,
} from './pod-cases.ts';
import { resizeChanges } from './resize-changes.ts';
import { apply, type Request, type Series } from './series.ts';

function resizes(kind: PodCase) {
  return (run: string): readonly Request[] => {
    const path = `${pods}/${run}/resize`;
    const before = podSetUp(run, kind);
    const last = before.length - 1;
    const spec = kind.spec;
    return [
      ...before,
      ...resizeChanges.map((change, index) => putPod(`${path}${queryOf(index)}`, last, change)),
      ...resizeChanges.map((change, index): Request => ({
        method: 'PATCH',
        path: `${path}${queryOf(index)}`,
        body: { spec: change(spec) },
        ...patchHeaders('merge-patch'),
      })),
      ...resizeChanges.map((change, index): Request => ({
        method: 'PATCH',
        path: `${path}${queryOf(index)}`,
        body: { spec: change(spec) },
        ...patchHeaders('strategic-merge-patch'),
      })),
      ...resizeChanges.map((change, index): Request => ({
        method: 'PATCH',
        path: `${path}${queryOf(index)}`,
        body: [{ op: 'replace', path: '/spec', value: change(spec) }],
        ...patchHeaders('json-patch'),
      })),
      ...resizeChanges.map((change) =>
        apply(
          path,
          'm',
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: run }, spec: change(spec) },
          '&dryRun=All&force=true',
        ),
      ),
      { method: 'PATCH', path, body: {} },
      putPod(path, last, (same) => same, {
        labels: { other: 'x' },
        annotations: { x: 'y' },
        finalizers: ['example.com/x'],
      }),
      putPod(path, last, (same) => same, { resourceVersion: '1' }),
      putPod(path, last, (same) => same, { uid: 'other' }),
      putPod(path, last, (same) => same, {
        generation: 7,
        creationTimestamp: null,
        generateName: 'x',
        resourceVersion: '',
      }),
      ...resizeChanges.slice(0, 6).map((change): Request => ({
        method: 'PATCH',
        path,
        body: { spec: change(spec) },
        ...patchHeaders('strategic-merge-patch'),
      })),
      apply(path, 'applier', {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: run },
        spec: { containers: [{ name: 'c', resources: resources({ cpu: '300m' }) }] },
      }),
      apply(
        path,
        'applier',
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: run },
          spec: { containers: [{ name: 'c', resources: resources({ cpu: '300m' }) }] },
        },
        '&force=true',
      ),
      apply(path, 'applier', { apiVersion: 'v1', kind: 'Pod', metadata: { name: run } }),
      { method: 'GET', path },
      podTearDown(run),
    ];
  };
}

const debugging = (name: string, parts: JsonObject = {}): JsonObject => ({ name, image: 'debug', ...parts });

/** Ephemeral containers of a pod that has one, `e`. */
const debuggers: readonly (readonly JsonObject[])[] = [
  [],
  [debugging('e')],
  [debugging('e'), debugging('f')],
  [debugging('f'), debugging('e')],
  [debugging('e', { image: 'other' })],
  [debugging('e', { command: ['x'], tty: true })],
  [debugging('f')],
  [debugging('e'), debugging('e')],
  [debugging('e'), debugging('c')],
  [debugging('e'), debugging('')],
  [debugging('e'), debugging('F_')],
  [debugging('e'), debugging('f', { image: '' })],
  [debugging('e'), debugging('f', { image: ' x ' })],
  [debugging('e'), debugging('f', { targetContainerName: 'c' })],
  [debugging('e'), debugging('f', { targetContainerName: 'missing' })],
  [
    debugging('e'),
    debugging('f', {
      ports: [{ containerPort: 80 }],
      livenessProbe: { exec: { command: ['x'] } },
      lifecycle: { preStop: { exec: { command: ['x'] } } },
    }),
  ],
  [debugging('e'), debugging('f', { lifecycle: { stopSignal: 'SIGTERM' } })],
  [debugging('e'), debugging('f', { lifecycle: {} })],
  [debugging('e'), debugging('f', { resources: burstable })],
  [debugging('e'), debugging('f', { resources: {} })],
  [debugging('e'), debugging('f', { resizePolicy: policy(['cpu', 'NotRequired']), restartPolicy: 'Always' })],
  [
    debugging('e'),
    debugging('f', { restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }] }),
  ],
  [debugging('e'), debugging('f', { volumeMounts: [{ name: 'missing', mountPath: '/x', subPath: 'y' }] })],
  [debugging('e'), debugging('f', { env: [{ name: '', value: 'x' }], envFrom: [{}] })],
  [
    debugging('e'),
    debugging('f', {
      securityContext: { privileged: true, allowPrivilegeEscalation: false },
      imagePullPolicy: 'Sometimes',
      terminationMessagePolicy: 'x',
    }),
  ],
  [debugging('e'), debugging('f', { startupProbe: {}, readinessProbe: {}, unknown: 1 })],
];

function debugRequests(kind: PodCase) {
  return (run: string): readonly Request[] => {
    const path = `${pods}/${run}/ephemeralcontainers`;
    const first: Request = {
      method: 'PATCH',
      path,
      body: { spec: { ephemeralContainers: [debugging('e')] } },
      ...patchHeaders('strategic-merge-patch'),
    };
    const before = [...podSetUp(run, kind), first, { method: 'GET', path: `${pods}/${run}` }];
    const last = before.length - 1;
    const body = (containers: JsonValue): JsonObject => ({ spec: { ephemeralContainers: containers } });
    return [
      ...before,
      ...debuggers.map((containers, index) =>
        putPod(
          `${path}${queryOf(index)}`,
          last,
          (spec) => ({ ...spec, hostNetwork: true, ephemeralContainers: [...containers] }),
          { labels: { x: 'y' } },
        ),
      ),
      ...debuggers.map((containers, index): Request => ({
        method: 'PATCH',
        path: `${path}${queryOf(index)}`,
        body: body([...containers]),
        ...patchHeaders('merge-patch'),
      })),
      ...debuggers.map((containers, index): Request => ({
        method: 'PATCH',
        path: `${path}${queryOf(index)}`,
        body: body([...containers]),
        ...patchHeaders('strategic-merge-patch'),
      })),
      ...debuggers.map((containers, index): Request => ({
        method: 'PATCH',
        path: `${path}${queryOf(index)}`,
        body: [{ op: 'add', path: '/spec/ephemeralContainers', value: [...containers] }],
        ...patchHeaders('json-patch'),
      })),
      ...debuggers.map((containers) =>
        apply(
          path,
          'm',
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: run }, ...body([...containers]) },
          '&dryRun=All&force=true',
        ),
      ),
      putPod(path, last, (spec) => spec, { resourceVersion: '1' }),
      putPod(
        path,
        last,
        (spec) => ({ ...spec, containers: [], ephemeralContainers: [debugging('e'), debugging('g')] }),
        {
          generation: 7,
          resourceVersion: '',
        },
      ),
      apply(path, 'applier', { apiVersion: 'v1', kind: 'Pod', metadata: { name: run }, ...body([debugging('h')]) }),
      apply(path, 'applier', { apiVersion: 'v1', kind: 'Pod', metadata: { name: run }, ...body([]) }),
      podTearDown(run),
    ];
  };
}

/** Writes of `pods/resize` and `pods/ephemeralcontainers` of pods of many podCases. */
export const podSubresourceSeries: readonly Series[] = [
  ...Object.entries(podCases).map(([name, kind]): Series => ({
    name: `resizes of a pod ${name}`,
    requests: resizes(kind),
  })),
  ...['plain', 'static', 'with a sidecar and an init container', 'with claims'].map((name): Series => ({
    name: `ephemeral containers of a pod ${name}`,
    requests: debugRequests(podCases[name] as PodCase),
  })),
];
