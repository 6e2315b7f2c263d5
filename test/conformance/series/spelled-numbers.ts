import type { Request, Series } from './series.ts';

const core = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** Spellings of numbers: Go takes integers from those without point and exponent only. */
const spellings = [
  '1',
  '1.0',
  '1e0',
  '1E1',
  '1.50',
  '-0',
  '0.5e1',
  '100e-2',
  '1e-3',
  '3e9',
  '3000000000',
  '12345678901234567',
  '1.0000000000000000001',
  '1e400',
];

function deployment(name: string, replicas: string): string {
  return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"${name}"},"spec":{"replicas":${replicas},"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`;
}

function quota(name: string, hard: string): string {
  return `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"${name}"},"spec":{"hard":${hard}}}`;
}

function configMap(name: string, fields: string): string {
  return `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"},${fields}}`;
}

/** Bodies to be created, by where they go. */
function bodies(run: string, number: string): readonly (readonly [path: string, body: string])[] {
  return [
    [deployments, deployment(`${run}-new`, number)],
    [
      `${core}/services`,
      `{"apiVersion":"v1","kind":"Service","metadata":{"name":"${run}"},"spec":{"clusterIP":"None","ports":[{"port":80,"targetPort":${number}}]}}`,
    ],
    [
      `${core}/services`,
      `{"apiVersion":"v1","kind":"Service","metadata":{"name":"${run}","name":"${run}"},"spec":{"clusterIP":"None","ports":[{"port":${number}}]}}`,
    ],
    [`${core}/resourcequotas`, quota(`${run}-new`, `{"cpu":${number}}`)],
    [`${core}/configmaps`, configMap(run, `"data":{"a":${number}},"unknown":${number}`)],
    [`${core}/configmaps`, configMap(run, `"binaryData":{"a":[1,${number}]}`)],
    [`${core}/configmaps`, configMap(run, `"immutable":${number}`)],
    [`${core}/configmaps`, `{"apiVersion":"v1","kind":${number}}`],
    [
      '/apis/coordination.k8s.io/v1/namespaces/default/leases',
      `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"${run}"},"spec":{"renewTime":${number}}}`,
    ],
  ];
}

/** What is merged into a Deployment, or put there by operations. */
function patches(run: string, number: string): readonly Request[] {
  const patch = (path: string, kind: string, body: string): Request => ({
    method: 'PATCH',
    path: `${path}?dryRun=All`,
    headers: { 'content-type': `application/${kind}+json` },
    body,
  });
  return [
    ...['merge-patch', 'strategic-merge-patch'].map((kind) =>
      patch(`${deployments}/${run}`, kind, `{"spec":{"replicas":${number}}}`),
    ),
    patch(`${core}/resourcequotas/${run}`, 'merge-patch', `{"spec":{"hard":{"memory":${number}}}}`),
    ...['replace', 'test'].map((op) =>
      patch(`${deployments}/${run}`, 'json-patch', `[{"op":"${op}","path":"/spec/replicas","value":${number}}]`),
    ),
    patch(
      `${deployments}/${run}`,
      'json-patch',
      `[{"op":"add","path":"/metadata/annotations","value":{"a":${number}}}]`,
    ),
    patch(`${deployments}/${run}`, 'json-patch', `[{"op":${number}}]`),
    patch(`${deployments}/${run}`, 'json-patch', `[${number}]`),
    ...['merge-patch', 'json-patch'].map((kind) => patch(`${deployments}/${run}`, kind, number)),
  ];
}

function requests(run: string, number: string): readonly Request[] {
  return [
    { method: 'POST', path: deployments, body: deployment(run, '1') },
    { method: 'POST', path: `${core}/resourcequotas`, body: quota(run, '{}') },
    ...bodies(run, number).map(([path, body]): Request => ({
      method: 'POST',
      path: `${path}?dryRun=All&fieldValidation=Warn`,
      body,
    })),
    // Of several mistakes in a patch the reference tells another first.
    ...(number === '1e400' ? [] : patches(run, number)),
    { method: 'DELETE', path: `${deployments}/${run}` },
    { method: 'DELETE', path: `${core}/resourcequotas/${run}` },
  ];
}

export const spelledNumberSeries: readonly Series[] = spellings.map((number) => ({
  name: `the number ${number} where others stand`,
  requests: (run) => requests(run, number),
}));
