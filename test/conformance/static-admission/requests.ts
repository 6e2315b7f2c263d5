import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { configMaps } from './manifests.ts';

export interface StaticRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
}

const group = '/apis/admissionregistration.k8s.io/v1';
export const configMapsPath = '/api/v1/namespaces/default/configmaps';
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const widgetsPath = '/apis/example.com/v1/namespaces/default/widgets';

function post(path: string, body: JsonObject): StaticRequest {
  return { method: 'POST', path, body };
}

export function createMap(name: string, data: JsonObject = {}): StaticRequest {
  return post(configMapsPath, { metadata: { name }, data });
}

function definition(plural: string, kind: string, groupName: string): StaticRequest {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return post(definitionsPath, {
    metadata: { name: `${plural}.${groupName}` },
    spec: {
      group: groupName,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
}

function mutatingRule(name: string): StaticRequest[] {
  return [
    post(`${group}/mutatingadmissionpolicies`, {
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: [configMaps] },
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: { expression: 'Object{data: {"order": object.?data.order.orValue("") + "api "}}' },
          },
        ],
      },
    }),
    post(`${group}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } }),
  ];
}

function configuration(name: string, url: string, caBundle: string): JsonObject {
  const webhook = {
    name: 'w.example.com',
    clientConfig: { url, caBundle },
    rules: [configMaps],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  return { metadata: { name }, webhooks: [webhook] };
}

/** Rules of the API, which act behind those of the manifests; their names come before those. */
export function apiRules(): StaticRequest[] {
  return [definition('widgets', 'Widget', 'example.com'), ...mutatingRule('a')];
}

/** Requests under the manifests that the servers have read at their start. */
export function requestsAtStart(port: number, caBundle: string): StaticRequest[] {
  const url = `https://127.0.0.1:${port}/both/count`;
  const names = ['guarded', 'a.static.k8s.io', 'free'];
  return [
    createMap('plain'),
    createMap('refused', { deny: 'yes' }),
    createMap('guarded'),
    post('/api/v1/namespaces/default/secrets', { metadata: { name: 'refused' } }),
    post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      metadata: { name: 'guarded' },
      spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
    }),
    ...names.flatMap((name) => [
      post(`${group}/validatingwebhookconfigurations`, configuration(name, url, caBundle)),
      post(`${group}/mutatingwebhookconfigurations`, configuration(name, url, caBundle)),
      ...mutatingRule(name),
    ]),
    { method: 'DELETE', path: `${group}/mutatingadmissionpolicies/free` },
    { method: 'DELETE', path: `${group}/validatingwebhookconfigurations/free` },
    definition('guardeds', 'Guarded', 'example.com'),
    post(widgetsPath, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'free' } }),
    post(widgetsPath, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'guarded' } }),
    ...['v1.guarded.io', 'guarded'].map((name) =>
      post('/apis/apiregistration.k8s.io/v1/apiservices', {
        metadata: { name },
        spec: { group: 'guarded.io', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
      }),
    ),
    post('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'guarded.guarded.io' },
      spec: { group: 'guarded.io', version: 'guarded', groupPriorityMinimum: 1, versionPriority: 1 },
    }),
  ];
}
