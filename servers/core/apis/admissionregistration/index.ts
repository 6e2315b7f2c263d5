import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import {
  mutatingBindingResource,
  mutatingPolicyResource,
  validatingBindingResource,
  validatingPolicyResource,
} from './admission-policies.ts';
import { mutatingWebhookResource, validatingWebhookResource } from './webhook-configurations.ts';

export const admissionregistrationResources: readonly BuiltInResource[] = [
  mutatingBindingResource,
  mutatingPolicyResource,
  mutatingWebhookResource,
  validatingBindingResource,
  validatingPolicyResource,
  validatingWebhookResource,
];
