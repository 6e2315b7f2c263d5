import { apiApproval, isProtectedGroup } from '#servers/extensions/crds/api-approval.ts';
import { hasCondition, setCondition, type Condition } from '#servers/extensions/crds/conditions.ts';
import { stringAt, stringMapAt } from '#shared/apimachinery/object.ts';
import type { DefinitionStep } from './definition-step.ts';

const reasons = {
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
} as const;

/**
 * Sets the condition KubernetesAPIApprovalPolicyConformant of definitions in the community's groups (below k8s.io and
 * kubernetes.io), which must be annotated with an approval (apiextensions-apiserver/pkg/controller/apiapproval).
 */
export const approvalStep: DefinitionStep = (object, _others, nowMs) => {
  if (!isProtectedGroup(stringAt(object, 'spec', 'group'))) return;
  const { state, message } = apiApproval(stringMapAt(object, 'metadata', 'annotations'));
  const condition: Condition = {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'approved' ? 'True' : 'False',
    reason: reasons[state],
    message,
  };
  if (!hasCondition(object, condition)) setCondition(object, condition, nowMs);
};
