import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { CountedRequest } from '#test/conformance/metrics/requests.ts';
import type { AnsweringWebhook } from './answering-webhook.ts';

const group = 'admissionregistration.k8s.io';
const ignores = { failurePolicy: 'Ignore' };
const away = { clientConfig: { url: 'https://127.0.0.1:1/' } };
const condition = (expression: string): JsonObject => ({ matchConditions: [{ name: 'c', expression }] });

/** A webhook for ConfigMaps whose label names it, by default with the answer that has its name. */
type Hooks = Readonly<Record<string, JsonObject>>;

export const validatingHooks: Hooks = {
  allow: {},
  warn: {},
  deny: {},
  forbid: {},
  'deny-far': {},
  'deny-well': {},
  gone: away,
  'gone-open': { ...away, ...ignores },
  'status-500': {},
  'status-404': ignores,
  'status-302': {},
  empty: {},
  garbage: {},
  stranger: {},
  hang: { timeoutSeconds: 1, ...ignores },
  excluded: condition('object.metadata.name == "other"'),
  included: condition('object.metadata.name == "asked"'),
  'condition-fails': condition('object.data.none == "a"'),
  'condition-fails-open': { ...condition('object.data.none == "a"'), ...ignores },
};

export const mutatingHooks: Hooks = {
  allow: {},
  deny: {},
  change: {},
  'change-nothing': {},
  'change-wrongly': {},
  'change-badly': {},
  'change-badly-open': ignores,
  'change-untyped': {},
  again: { reinvocationPolicy: 'IfNeeded' },
  gone: away,
  'gone-open': { ...away, ...ignores },
  excluded: condition('false'),
};

/** The answer of a webhook, where it is not named after it. */
const answers: Readonly<Record<string, string>> = { 'change-badly-open': 'change-badly', again: 'change' };

export function webhookConfiguration(
  kind: 'Mutating' | 'Validating',
  hooks: Hooks,
  server: AnsweringWebhook,
): CountedRequest {
  const webhooks = Object.entries(hooks).map(([name, more]) => ({
    name: `${name}.counted.example.com`,
    clientConfig: server.clientConfig(answers[name] ?? name),
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { [kind.toLowerCase()]: name } },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    ...more,
  }));
  return {
    method: 'POST',
    path: `/apis/${group}/v1/${kind.toLowerCase()}webhookconfigurations`,
    body: {
      apiVersion: `${group}/v1`,
      kind: `${kind}WebhookConfiguration`,
      metadata: { name: 'counted' },
      webhooks,
    },
  };
}
