import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** A custom resource with one spec in v1 (`hostPort`) and another in v1beta1 (`host` and `port`). */
export interface CronTab extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: JsonObject;
  spec?: JsonObject;
}

export const group = 'stable.example.com';

/** What the webhook does where it is right. It labels an object by its version, as some webhooks do. */
export function convertObject(object: CronTab, apiVersion: string): CronTab {
  const { metadata, spec } = object;
  const labels = { ...(metadata['labels'] as JsonObject | undefined), version: apiVersion.split('/')[1] ?? '' };
  const converted = { ...object, apiVersion, metadata: { ...metadata, labels } };
  return spec === undefined ? converted : { ...converted, spec: convertSpec(spec, apiVersion) };
}

function convertSpec(spec: JsonObject, apiVersion: string): JsonObject {
  const { host, port, hostPort, ...rest } = spec;
  if (apiVersion === `${group}/v1`)
    return host === undefined && port === undefined
      ? { ...rest, ...(hostPort === undefined ? {} : { hostPort }) }
      : { ...rest, hostPort: `${String(host ?? '')}:${String(port ?? '')}` };
  if (hostPort === undefined)
    return { ...rest, ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) };
  const [first = '', second = ''] = String(hostPort).split(':');
  return { ...rest, host: first, port: second };
}

const text = { type: 'string' };
const common = { replicas: { type: 'integer' }, note: text };
const status = { type: 'object', properties: { replicas: { type: 'integer' }, phase: text } };

function version(name: string, storage: boolean, properties: JsonObject, selectable: string): JsonObject {
  return {
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { ...common, ...properties, from: { type: 'string', default: name } },
          },
          status,
        },
      },
    },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
    additionalPrinterColumns: [{ name: 'Place', type: 'string', jsonPath: selectable }],
    selectableFields: [{ jsonPath: selectable }],
  };
}

export interface Webhooked {
  readonly url: string;
  readonly caBundle: string;
}

/** The definition, with the webhook of one server. */
export function definition(
  { url, caBundle }: Webhooked,
  storage: 'v1' | 'v1beta1',
  reviewVersions: readonly string[] = ['v1', 'v1beta1'],
): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `crontabs.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'crontabs', singular: 'crontab', kind: 'CronTab', listKind: 'CronTabList' },
      versions: [
        version('v1', storage === 'v1', { hostPort: text }, '.spec.hostPort'),
        version('v1beta1', storage === 'v1beta1', { host: text, port: text }, '.spec.host'),
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url, caBundle }, conversionReviewVersions: [...reviewVersions] },
      },
    },
  };
}

/** A custom resource in a version. */
export function cronTab(name: string, apiVersion: 'v1' | 'v1beta1', more: JsonObject = {}): CronTab {
  const spec = apiVersion === 'v1' ? { hostPort: `${name}:80` } : { host: name, port: '80' };
  return {
    apiVersion: `${group}/${apiVersion}`,
    kind: 'CronTab',
    metadata: { name, namespace: 'default', labels: { app: name } },
    spec: { ...spec, replicas: 1, ...more },
  };
}

export function pathOf(apiVersion: 'v1' | 'v1beta1', rest = ''): string {
  return `/apis/${group}/${apiVersion}/namespaces/default/crontabs${rest}`;
}
