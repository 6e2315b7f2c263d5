import type { GroupResource } from '#shared/apimachinery/gvk.ts';

const rulesOfUsers: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
]);

/**
 * Whether a resource holds rules of users: no webhook and no policy is asked about these, so that nobody locks himself
 * out of mending them.
 */
export function holdsRulesOfUsers({ group, resource }: GroupResource): boolean {
  return group === 'admissionregistration.k8s.io' && rulesOfUsers.has(resource);
}

const reviews: ReadonlySet<string> = new Set([
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/** Whether no policy is asked about a resource (kubernetes/pkg/kubeapiserver/admission/exclusion). */
export function isExemptFromPolicies(resource: GroupResource): boolean {
  return holdsRulesOfUsers(resource) || reviews.has(`${resource.group}/${resource.resource}`);
}
