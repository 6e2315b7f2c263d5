import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { get, type Request, type Series } from './series.ts';

/** Definitions that are deleted with policies for dependents. */
function definitions(run: string): readonly Request[] {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  return [
    { propagationPolicy: 'Orphan' },
    { propagationPolicy: 'Foreground' },
    { propagationPolicy: 'Background' },
    { orphanDependents: true },
    { orphanDependents: false },
    {},
    { propagationPolicy: 'Odd' },
  ].flatMap((options, index): Request[] => {
    const plural = `${run}x${index}s`;
    const name = `${plural}.example.com`;
    const body = {
      metadata: { name },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural, kind: `K${run}x${index}` },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    };
    const item = `/apis/example.com/v1/namespaces/default/${plural}`;
    return [
      { method: 'POST', path, body },
      { ...get(item), until: ({ status }) => status === 200 },
      {
        method: 'POST',
        path: item,
        body: { apiVersion: 'example.com/v1', kind: `K${run}x${index}`, metadata: { name: 'a' } },
      },
      { method: 'DELETE', path: `${item}/a`, body: { ...options, dryRun: ['All'] } },
      { method: 'DELETE', path: `${path}/${name}`, body: { ...options, dryRun: ['All'] } },
      { method: 'DELETE', path: `${path}/${name}`, body: options },
      { ...get(`${path}/${name}`), until: ({ status }) => status === 404 },
    ];
  });
}

/** A definition whose names are taken is never established: what is told of its version. */
function unestablished(run: string): readonly Request[] {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const group = `${run}.example.com`;
  const definition = (plural: string, version: string): JsonObject => ({
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: 'Odd', listKind: `${plural}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  const isThere = ({ status }: Exchange): boolean => status === 200;
  const judged =
    (word: string) =>
    ({ body }: Exchange): boolean =>
      JSON.stringify(body).includes(word);
  return [
    { method: 'POST', path, body: definition('firsts', 'v1') },
    { ...get(`${path}/firsts.${group}`), until: judged('InitialNamesAccepted') },
    { ...get(`${services}/v1.${group}`), until: isThere },
    { method: 'POST', path, body: definition('seconds', 'v2') },
    { ...get(`${path}/seconds.${group}`), until: judged('KindConflict') },
    { ...get(`${services}/v2.${group}`), until: isThere },
    get(`/apis/${group}`),
    get(`/apis/${group}/v1`),
    get(`/apis/${group}/v2`),
    get(`/apis/${group}/v2/namespaces/default/seconds`),
    get(`/apis/${group}/v2/odds`),
    { method: 'DELETE', path: `${path}/seconds.${group}` },
    { ...get(`${services}/v2.${group}`), until: ({ status }) => status === 404 },
    get(`/apis/${group}`),
  ];
}

export const definitionEndingSeries: readonly Series[] = [
  { name: 'details: definitions deleted with policies', requests: definitions },
  { name: 'details: definitions that are not established', requests: unestablished },
];
