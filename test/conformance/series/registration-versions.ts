import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

/** APIServices in versions of old. */
function registrations(run: string): readonly Request[] {
  const path = '/apis/apiregistration.k8s.io/v1/apiservices';
  const name = `v1.${run}.example.org`;
  const body = (apiVersion: string): JsonObject => ({
    apiVersion,
    kind: 'APIService',
    metadata: { name },
    spec: { group: `${run}.example.org`, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
  });
  const versions = [
    'apiregistration.k8s.io/v1',
    'apiregistration.k8s.io/v1beta1',
    'apiregistration.k8s.io/v1alpha1',
    'v1',
    'example.com/v1',
  ];
  return versions.flatMap((version): Request[] => [
    { method: 'POST', path: `${path}?dryRun=All`, body: body(version) },
    { method: 'POST', path: `${path.replace('/v1/', '/v1beta1/')}?dryRun=All`, body: body(version) },
    { method: 'POST', path, body: body('apiregistration.k8s.io/v1') },
    { method: 'PUT', path: `${path}/${name}?dryRun=All`, body: body(version) },
    { method: 'PATCH', path: `${path}/${name}?dryRun=All`, body: { apiVersion: version } },
    {
      method: 'PATCH',
      path: `${path}/${name}?fieldManager=a`,
      body: body(version),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    },
    { method: 'DELETE', path: `${path}/${name}`, body: { apiVersion: version, kind: 'DeleteOptions' } },
    { method: 'DELETE', path: `${path}/${name}` },
  ]);
}

export const registrationVersionSeries: readonly Series[] = [
  { name: 'details: APIServices of other versions', requests: registrations },
];
