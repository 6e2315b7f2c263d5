import type { JsonObject } from '#shared/apimachinery/json/json.ts';

export interface WebhookSpec {
  /** What the webhook does, as `webhook-server.ts` names it. */
  readonly does: string;
  readonly kind?: 'mutating' | 'validating';
  /** Members of the webhook that differ from the usual ones. */
  readonly spec?: JsonObject;
}

export interface WebhookRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
}

/** Requests that are sent while some webhooks are there. */
export interface WebhookCase {
  readonly name: string;
  readonly webhooks: readonly WebhookSpec[];
  readonly before?: readonly WebhookRequest[];
  readonly requests: readonly WebhookRequest[];
  /** The reviews come in any order. */
  readonly sideBySide?: boolean;
  /** The webhooks are called on the port for HTTP/2. */
  readonly http2?: boolean;
  /** Why the reviews differ. */
  readonly explained?: string;
  /** Why the answers differ. */
  readonly answersExplained?: string;
}

export function ruleFor(resources: readonly string[], groups: readonly string[] = ['']): JsonObject {
  return { operations: ['*'], apiGroups: [...groups], apiVersions: ['*'], resources: [...resources], scope: '*' };
}

export const configMaps = '/api/v1/namespaces/default/configmaps';

export function configMap(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' }, ...more };
}

export function create(name: string, more?: JsonObject, query = ''): WebhookRequest {
  return { method: 'POST', path: `${configMaps}${query}`, body: configMap(name, more) };
}

/** A create under one webhook that does something, under both failure policies. */
export function simple(does: string, kind: 'mutating' | 'validating', spec: JsonObject = {}): WebhookCase[] {
  return ['Fail', 'Ignore'].map((failurePolicy) => ({
    name: `${kind} ${does}, ${failurePolicy}`,
    webhooks: [{ does, kind, spec: { failurePolicy, ...spec } }],
    requests: [create('simple'), { method: 'DELETE', path: `${configMaps}/simple` }],
  }));
}
