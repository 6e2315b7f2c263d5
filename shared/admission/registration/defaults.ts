import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';

// Defaults of the rules of users (pkg/apis/admissionregistration/v1/defaults.go).

export function applyPolicyDefaults(policy: KubeObject): void {
  const spec = ensureObject(policy, 'spec');
  setDefault(spec, 'failurePolicy', 'Fail');
  applyMatchDefaults(objectAt(spec, 'matchConstraints'));
}

export function applyBindingDefaults(binding: KubeObject): void {
  applyMatchDefaults(objectAt(binding, 'spec', 'matchResources'));
}

function applyMatchDefaults(match: JsonObject | undefined): void {
  if (!match) return;
  setDefault(match, 'matchPolicy', 'Equivalent');
  ensureObject(match, 'namespaceSelector');
  ensureObject(match, 'objectSelector');
  for (const rule of [...objectsAt(match, 'resourceRules'), ...objectsAt(match, 'excludeResourceRules')])
    setDefault(rule, 'scope', '*');
}

export function applyValidatingWebhookDefaults(configuration: KubeObject): void {
  for (const webhook of objectsAt(configuration, 'webhooks')) applyWebhookDefaults(webhook);
}

export function applyMutatingWebhookDefaults(configuration: KubeObject): void {
  for (const webhook of objectsAt(configuration, 'webhooks')) {
    applyWebhookDefaults(webhook);
    setDefault(webhook, 'reinvocationPolicy', 'Never');
  }
}

function applyWebhookDefaults(webhook: JsonObject): void {
  setDefault(webhook, 'failurePolicy', 'Fail');
  setDefault(webhook, 'matchPolicy', 'Equivalent');
  ensureObject(webhook, 'namespaceSelector');
  ensureObject(webhook, 'objectSelector');
  setDefault(webhook, 'timeoutSeconds', 10);
  for (const rule of objectsAt(webhook, 'rules')) setDefault(rule, 'scope', '*');
  const service = objectAt(webhook, 'clientConfig', 'service');
  if (service) setDefault(service, 'port', 443);
}
