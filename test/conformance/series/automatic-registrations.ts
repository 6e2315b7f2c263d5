import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from '#test/compare/exchange.ts';
import { get, type Request, type Series } from './series.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';

const isGone = ({ status }: Exchange): boolean => status === 404;

function tells(text: string): Pick<Request, 'until'> {
  return { until: ({ body }) => JSON.stringify(body).includes(text) };
}

function definition(group: string): JsonObject {
  return {
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  };
}

/** The APIService of a definition is made again, and corrected, until its label is taken away. */
function ofDefinition(run: string): readonly Request[] {
  const group = `${run}.example.com`;
  const [one, service] = [`${definitions}/things.${group}`, `${services}/v1.${group}`];
  const label = `"${managedLabel}":"true"`;
  return [
    { method: 'POST', path: definitions, body: definition(group) },
    { ...get(service), ...tells('"Available"') },
    { method: 'DELETE', path: service },
    { ...get(service), ...tells('"Available"') },
    { method: 'PATCH', path: service, body: { spec: { versionPriority: 55 } } },
    { ...get(service), ...tells('"versionPriority":100') },
    { method: 'PATCH', path: service, body: { metadata: { labels: { [managedLabel]: null } } } },
    { method: 'PATCH', path: service, body: { spec: { versionPriority: 55 } } },
    { method: 'DELETE', path: one },
    { ...get(one), until: isGone },
    get(service),
    { method: 'DELETE', path: service },
    get(service),
    { method: 'POST', path: definitions, body: definition(group) },
    { ...get(service), ...tells(label) },
    { method: 'DELETE', path: one },
    { ...get(service), until: isGone },
  ];
}

/** Of a server's own group: what a user deletes or changes stays so until the next start. */
function ofOwnGroup(): readonly Request[] {
  const service = `${services}/v1.node.k8s.io`;
  const made = (answers: readonly Exchange[]): JsonObject => {
    const body = answers[0]?.body;
    const spec = isObject(body) ? (body['spec'] ?? {}) : {};
    return { metadata: { name: 'v1.node.k8s.io', labels: { [managedLabel]: 'onstart' } }, spec };
  };
  return [
    get(service),
    { method: 'DELETE', path: service },
    get(service),
    { method: 'POST', path: services, body: made },
    { method: 'PATCH', path: service, body: { spec: { versionPriority: 55 } } },
    get(service),
    { method: 'PATCH', path: service, body: (answers) => ({ spec: made(answers)['spec'] ?? {} }) },
  ];
}

export const automaticRegistrationSeries: readonly Series[] = [
  { name: 'registrations: the APIService of a definition', requests: ofDefinition },
  { name: "registrations: the APIService of a server's own group", requests: ofOwnGroup },
];
