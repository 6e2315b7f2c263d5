import {
  mutatingBindingResource,
  mutatingPolicyResource,
  validatingBindingResource,
  validatingPolicyResource,
} from './admission-policies.ts';
import { mutatingWebhookResource, validatingWebhookResource } from './webhook-configurations.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const admissionregistrationResources: readonly BuiltInResource[] = [
  mutatingBindingResource,
  mutatingPolicyResource,
  mutatingWebhookResource,
  validatingBindingResource,
  validatingPolicyResource,
  validatingWebhookResource,
];
