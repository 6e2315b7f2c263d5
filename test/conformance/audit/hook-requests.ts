import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { WebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import type { NamelessWebhook } from './nameless-webhook.ts';
import { get, make, map, patch, type SpecialRequest } from './special-requests.ts';

const ns = '/api/v1/namespaces/special';
const things = '/apis/audit.example/v1/namespaces/special/things';

/** The path of the configurations of one kind. */
export function webhookConfiguration(kind: 'Mutating' | 'Validating'): string {
  return `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
}

/** Webhooks of one kind, called in the order of their names for one resource. */
export function hooks(
  server: Pick<WebhookServer, 'port' | 'caBundle'>,
  kind: 'Mutating' | 'Validating',
  resource: string,
  behaviours: readonly string[],
  host = '127.0.0.1',
): JsonObject {
  return {
    kind: `${kind}WebhookConfiguration`,
    apiVersion: 'admissionregistration.k8s.io/v1',
    metadata: { name: `audited-${resource.replaceAll(/\W/g, '')}` },
    webhooks: behaviours.map((behaviour, at) => ({
      name: `w${at}.${behaviour}.audit.example`,
      clientConfig: { url: `https://${host}:${server.port}/audit/${behaviour}`, caBundle: server.caBundle },
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: [resource] }],
      failurePolicy: behaviour === '500' ? 'Ignore' : 'Fail',
      reinvocationPolicy: kind === 'Mutating' ? 'IfNeeded' : undefined,
      matchPolicy: 'Exact',
      sideEffects: 'None',
      timeoutSeconds: 10,
      admissionReviewVersions: ['v1'],
    })) as unknown as JsonObject[],
  };
}

const definition: JsonObject = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: 'things.audit.example' },
  spec: {
    group: 'audit.example',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        deprecated: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { n: { type: 'integer', default: 3 } } },
              status: { type: 'object', properties: { n: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

function thing(name: string, spec: JsonObject): JsonObject {
  return { kind: 'Thing', apiVersion: 'audit.example/v1', metadata: { name }, spec };
}

/** What has to be there before {@link hookRequests} are sent. */
export function hookPreparation(server: WebhookServer, nameless: NamelessWebhook): readonly SpecialRequest[] {
  const [mutating, validating] = [webhookConfiguration('Mutating'), webhookConfiguration('Validating')];
  return [
    make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition),
    make(mutating, hooks(server, 'Mutating', 'configmaps', ['label', 'annotate', '500', 'label-again', 'patch-none'])),
    make(validating, hooks(server, 'Validating', 'configmaps', ['annotate', 'warn', '500'])),
    make(validating, hooks(server, 'Validating', 'endpoints', ['deny-status'])),
    make(validating, hooks(server, 'Validating', 'secrets', ['hang'])),
    make(mutating, hooks(nameless, 'Mutating', 'podtemplates', ['500'], 'localhost')),
    make(validating, hooks(nameless, 'Validating', 'podtemplates', ['500'], 'localhost')),
  ];
}

/** Until all of these answer 200 or 201, what was prepared is not yet in effect everywhere. */
export const hookProbes: readonly SpecialRequest[] = [get(things)];

const template = { spec: { containers: [{ name: 'c', image: 'i' }] } };

export const hookRequests: readonly SpecialRequest[] = [
  make(`${ns}/configmaps`, map('hooked')),
  make(`${ns}/configmaps?dryRun=All`, map('hooked-dry')),
  patch(`${ns}/configmaps/hooked`, 'merge-patch+json', '{"data":{"m":"1"}}'),
  { method: 'DELETE', path: `${ns}/configmaps/hooked` },
  make(`${ns}/endpoints`, { kind: 'Endpoints', apiVersion: 'v1', metadata: { name: 'denied' } }),
  make(`${ns}/secrets?timeout=1s`, { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'late' } }),
  make(`${ns}/podtemplates`, { kind: 'PodTemplate', apiVersion: 'v1', metadata: { name: 'unnamed' }, template }),
  make(things, thing('a', { n: 1, unknown: '<&>' })),
  make(things, thing('b', {})),
  make(things, { ...thing('c', {}), spec: { n: 'x' } }),
  get(`${things}/a`),
  get(things),
  get(things, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
  patch(`${things}/a`, 'merge-patch+json', '{"spec":{"n":7}}'),
  patch(`${things}/a/status`, 'merge-patch+json', '{"status":{"n":7}}'),
  get(`${things}/a/scale`),
  patch(`${things}/a/scale`, 'merge-patch+json', '{"spec":{"replicas":9}}'),
  patch(`${things}/d?fieldManager=me`, 'apply-patch+yaml', JSON.stringify(thing('d', { n: 4 }))),
  { method: 'DELETE', path: `${things}/a` },
  { method: 'DELETE', path: things },
];
