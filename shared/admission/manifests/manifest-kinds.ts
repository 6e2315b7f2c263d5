import {
  applyBindingDefaults,
  applyMutatingWebhookDefaults,
  applyPolicyDefaults,
  applyValidatingWebhookDefaults,
} from '#shared/admission/registration/defaults.ts';
import {
  validateMutatingBinding,
  validateValidatingBinding,
} from '#shared/admission/registration/policy-binding-validation.ts';
import { validateMutatingPolicy, validateValidatingPolicy } from '#shared/admission/registration/policy-validation.ts';
import type { RuleCompilers } from '#shared/admission/registration/rule-compilers.ts';
import { validateWebhookConfiguration } from '#shared/admission/registration/webhook-validation.ts';
import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { doneWith, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';

/** The end of all names of objects in manifests, which the API refuses for others. */
export const staticSuffix = '.static.k8s.io';

/** A kind of object in manifests. */
export interface ManifestKind {
  readonly kind: string;
  readonly applyDefaults: (object: KubeObject) => void;
  readonly validate: (object: KubeObject, compilers: RuleCompilers) => Steps<FieldError[]>;
  /** Refuses what the API takes and manifests may not hold. @throws ConfigurationError */
  readonly constrain: (object: KubeObject, file: string) => void;
}

/** The kinds in the folder of a plugin. */
export const kindsOfPlugin = {
  MutatingAdmissionPolicy: [
    {
      kind: 'MutatingAdmissionPolicy',
      applyDefaults: applyPolicyDefaults,
      validate: validateMutatingPolicy,
      constrain: refuseParameters,
    },
    {
      kind: 'MutatingAdmissionPolicyBinding',
      applyDefaults: applyBindingDefaults,
      validate: (binding) => doneWith(validateMutatingBinding(binding)),
      constrain: constrainBinding,
    },
  ],
  MutatingAdmissionWebhook: [
    {
      kind: 'MutatingWebhookConfiguration',
      applyDefaults: applyMutatingWebhookDefaults,
      validate: validateWebhookConfiguration,
      constrain: requireUrls,
    },
  ],
  ValidatingAdmissionPolicy: [
    {
      kind: 'ValidatingAdmissionPolicy',
      applyDefaults: applyPolicyDefaults,
      validate: validateValidatingPolicy,
      constrain: refuseParameters,
    },
    {
      kind: 'ValidatingAdmissionPolicyBinding',
      applyDefaults: applyBindingDefaults,
      validate: (binding) => doneWith(validateValidatingBinding(binding)),
      constrain: constrainBinding,
    },
  ],
  ValidatingAdmissionWebhook: [
    {
      kind: 'ValidatingWebhookConfiguration',
      applyDefaults: applyValidatingWebhookDefaults,
      validate: validateWebhookConfiguration,
      constrain: requireUrls,
    },
  ],
} as const satisfies Readonly<Record<string, readonly ManifestKind[]>>;

export type ManifestPlugin = keyof typeof kindsOfPlugin;

function refuseParameters(policy: KubeObject): void {
  if (objectAt(policy, 'spec', 'paramKind') === undefined) return;
  const name = `${stringAt(policy, 'kind')} ${goQuote(policy.metadata.name ?? '')}`;
  throw new ConfigurationError(`${name}: spec.paramKind is not supported for static manifests`);
}

function constrainBinding(binding: KubeObject): void {
  const name = `binding ${goQuote(binding.metadata.name ?? '')}`;
  const policy = stringAt(binding, 'spec', 'policyName');
  if (!policy.endsWith(staticSuffix))
    throw new ConfigurationError(`${name}: spec.policyName ${goQuote(policy)} must end with ${goQuote(staticSuffix)}`);
  if (objectAt(binding, 'spec', 'paramRef') !== undefined)
    throw new ConfigurationError(`${name}: spec.paramRef is not supported for static manifests`);
}

/** Services are found by the API, which manifests do not depend on. */
function requireUrls(configuration: KubeObject, file: string): void {
  for (const webhook of objectsAt(configuration, 'webhooks')) {
    if (objectAt(webhook, 'clientConfig', 'service') === undefined) continue;
    const place = `in ${goQuote(configuration.metadata.name ?? '')} (file ${goQuote(file)})`;
    throw new ConfigurationError(
      `webhook ${goQuote(stringAt(webhook, 'name'))} ${place}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`,
    );
  }
}
