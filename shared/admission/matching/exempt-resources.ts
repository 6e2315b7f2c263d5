import type { GroupResource } from '#shared/apimachinery/gvk.ts';

const policies: ReadonlySet<string> = new Set([
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);
const webhookConfigurations: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
]);

/**
 * Whether a resource holds rules of users: no webhook of the API is asked about these, so that nobody locks himself
 * out of mending them.
 */
export function holdsRulesOfUsers({ group, resource }: GroupResource): boolean {
  return group === 'admissionregistration.k8s.io' && (policies.has(resource) || webhookConfigurations.has(resource));
}

const reviews: ReadonlySet<string> = new Set([
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/** Whether a resource holds policies or their bindings. */
export function isPolicy({ group, resource }: GroupResource): boolean {
  return group === 'admissionregistration.k8s.io' && policies.has(resource);
}

/**
 * Whether no policy of the API is asked about a resource: reviews, without which nothing works, and policies
 * themselves, which nobody could mend else (kubernetes/pkg/kubeapiserver/admission/exclusion). They are asked about
 * webhooks.
 */
export function isExemptFromPolicies({ group, resource }: GroupResource): boolean {
  return group === 'admissionregistration.k8s.io' ? policies.has(resource) : reviews.has(`${group}/${resource}`);
}
