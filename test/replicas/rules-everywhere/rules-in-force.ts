import type { ApiClient } from '#test/api-client.ts';
import { workResources } from '#test/robustness/workload/resources.ts';
import { create, mergePatch } from './api.ts';
import type { ForbiddenWrites, RuleInForce } from './forbidden-writes.ts';
import type { RuleWebhook } from './rule-webhook.ts';
import {
  bindingWithParams,
  denyingBinding,
  denyingPolicy,
  markingPolicy,
  policyWithParams,
  webhookConfiguration,
  type NewObject,
} from './rules.ts';
import { namespace } from './write-kinds.ts';

const guarded = { guarded: 'yes' };
const namespaceSelector = { matchLabels: guarded };
const configMapKind = { apiVersion: 'v1', kind: 'ConfigMap' };
const widgetKind = { apiVersion: 'robustness.quarterdeck.example/v1', kind: 'Widget' };
const configMapDenies = "params.data.mode != 'deny'";
const widgetDenies = "params.spec.mark != 'deny'";

function configMapParam(name: string, mode: string): NewObject {
  const metadata = { name, labels: { param: name } };
  return { path: workResources.configmaps.path(namespace), body: { metadata, data: { mode } } };
}

function widgetParam(name: string, mark: string): NewObject {
  const metadata = { name, labels: { param: name } };
  return { path: workResources.widgets.path(namespace), body: { ...widgetKind, metadata, spec: { mark } } };
}

function selected(name: string): { selector: { matchLabels: { param: string } } } {
  return { selector: { matchLabels: { param: name } } };
}

/** The rules that are there from the beginning: how a rule can depend on what a process has to know. */
function firstRules(webhook: RuleWebhook): Readonly<Record<string, readonly NewObject[]>> {
  const failing = [{ expression: 'object.spec.missing == 1' }];
  return {
    policy: [denyingPolicy('policy'), denyingBinding('policy')],
    error: [denyingPolicy('error', { validations: failing }), denyingBinding('error')],
    selector: [denyingPolicy('selector', {}, { namespaceSelector }), denyingBinding('selector')],
    'built-in-param': [
      configMapParam('built-in-param', 'deny'),
      policyWithParams('built-in-param', configMapKind, configMapDenies),
      bindingWithParams('built-in-param', namespace),
    ],
    'custom-param': [
      widgetParam('custom-param', 'deny'),
      policyWithParams('custom-param', widgetKind, widgetDenies),
      bindingWithParams('custom-param', namespace),
    ],
    'selected-built-in-param': [
      configMapParam('selected-built-in-param', 'deny'),
      policyWithParams('selected-built-in-param', configMapKind, configMapDenies),
      bindingWithParams('selected-built-in-param', namespace, selected('selected-built-in-param')),
    ],
    'selected-custom-param': [
      widgetParam('selected-custom-param', 'deny'),
      policyWithParams('selected-custom-param', widgetKind, widgetDenies),
      bindingWithParams('selected-custom-param', namespace, selected('selected-custom-param')),
    ],
    webhook: [webhookConfiguration('ValidatingWebhookConfiguration', 'webhook', webhook, { namespaceSelector })],
  };
}

/** Makes rules of all kinds. They are in force a second later. */
export async function makeFirstRules(
  client: ApiClient,
  webhook: RuleWebhook,
  writes: ForbiddenWrites,
): Promise<readonly RuleInForce[]> {
  await mergePatch(client, `/api/v1/namespaces/${namespace}`, { metadata: { labels: guarded } });
  const rules: RuleInForce[] = [];
  for (const [name, objects] of Object.entries(firstRules(webhook))) {
    await writes.makeVictims(client, name);
    await create(client, objects);
    rules.push({ name, demand: 'no write' });
  }
  await create(client, markingPolicy('marking-policy'));
  await create(client, [webhookConfiguration('MutatingWebhookConfiguration', 'marking-webhook', webhook)]);
  return [...rules, { name: 'marking-policy', demand: 'mark' }, { name: 'marking-webhook', demand: 'mark' }];
}

/** Makes a rule while processes come and go: by a policy, a webhook or a parameter, in turn. */
export async function makeLateRule(
  client: ApiClient,
  webhook: RuleWebhook,
  writes: ForbiddenWrites,
  number: number,
): Promise<RuleInForce> {
  const name = `late-${number}`;
  await writes.makeVictims(client, name);
  switch (number % 3) {
    case 0:
      await create(client, [denyingBinding(name), denyingPolicy(name)]);
      break;
    case 1:
      await create(client, [webhookConfiguration('ValidatingWebhookConfiguration', name, webhook)]);
      break;
    default: {
      const denying = configMapParam(name, 'deny');
      await create(client, [
        configMapParam(name, 'allow'),
        policyWithParams(name, configMapKind, configMapDenies),
        bindingWithParams(name, namespace),
      ]);
      await mergePatch(client, `${denying.path}/${name}`, denying.body);
    }
  }
  return { name, demand: 'no write' };
}
