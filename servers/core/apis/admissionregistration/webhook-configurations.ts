import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { mutatingWebhookConfigurationRows, validatingWebhookConfigurationRows } from './rows.ts';
import { withStaticNames } from './static-names.ts';
import { validateWebhookConfiguration } from './webhook-validation.ts';

const validation = ({ gates, expressions }: StrategyDependencies): Strategy =>
  withStaticNames(
    { validateInSteps: (configuration, old) => validateWebhookConfiguration(configuration, expressions, old) },
    gates,
  );

/** ValidatingWebhookConfigurations (pkg/apis/admissionregistration/v1/defaults.go). */
const validatingWebhookStrategy = (dependencies: StrategyDependencies): Strategy => ({
  ...validation(dependencies),
  applyDefaults(configuration) {
    for (const webhook of objectsAt(configuration, 'webhooks')) applyWebhookDefaults(webhook);
  },
});

/** MutatingWebhookConfigurations. */
const mutatingWebhookStrategy = (dependencies: StrategyDependencies): Strategy => ({
  ...validation(dependencies),
  applyDefaults(configuration) {
    for (const webhook of objectsAt(configuration, 'webhooks')) {
      applyWebhookDefaults(webhook);
      setDefault(webhook, 'reinvocationPolicy', 'Never');
    }
  },
});

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

export const mutatingWebhookResource = defineBuiltIn({
  group: 'admissionregistration.k8s.io',
  resource: 'mutatingwebhookconfigurations',
  rows: mutatingWebhookConfigurationRows,
  strategy: mutatingWebhookStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'whole',
    anyFinalizers: true,
    generation: 'exact',
  },
});

export const validatingWebhookResource = defineBuiltIn({
  group: 'admissionregistration.k8s.io',
  resource: 'validatingwebhookconfigurations',
  rows: validatingWebhookConfigurationRows,
  strategy: validatingWebhookStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'whole',
    anyFinalizers: true,
    generation: 'exact',
  },
});
