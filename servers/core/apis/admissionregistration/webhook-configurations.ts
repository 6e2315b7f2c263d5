import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import {
  applyMutatingWebhookDefaults,
  applyValidatingWebhookDefaults,
} from '#shared/admission/registration/defaults.ts';
import { validateWebhookConfiguration } from '#shared/admission/registration/webhook-validation.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { mutatingWebhookConfigurationRows, validatingWebhookConfigurationRows } from './rows.ts';
import { withStaticNames } from './static-names.ts';

const validation = ({ gates, expressions }: StrategyDependencies): Strategy =>
  withStaticNames(
    { validateInSteps: (configuration, old) => validateWebhookConfiguration(configuration, expressions, old) },
    gates,
  );

const validatingWebhookStrategy = (dependencies: StrategyDependencies): Strategy => ({
  ...validation(dependencies),
  applyDefaults: applyValidatingWebhookDefaults,
});

const mutatingWebhookStrategy = (dependencies: StrategyDependencies): Strategy => ({
  ...validation(dependencies),
  applyDefaults: applyMutatingWebhookDefaults,
});

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
