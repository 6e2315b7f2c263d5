import { invalid, path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { objectAt, objectsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateConditions } from '../validation/conditions.ts';
import { givenOneOf, nonNegativeFields } from '../validation/field-rules.ts';
import { goForm } from '../validation/go-form.ts';
import { validateAmountOrPercent, validateAtMost100Percent } from '../validation/int-or-percent.ts';
import { validateLabelSelector } from '../validation/label-selector.ts';

const specField = path('spec');

/** PodDisruptionBudgets (pkg/registry/policy/poddisruptionbudget). */
export const podDisruptionBudgetStrategy: Strategy = {
  validate: (_context, budget) => validateBudget(budget),
  validateUpdate: (_context, budget) => validateBudget(budget),
  validateStatusUpdate: (_context, budget) => [
    ...validateConditions(objectsAt(budget, 'status', 'conditions'), path('status', 'conditions')),
    ...nonNegativeFields(objectAt(budget, 'status'), ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'], path('status')),
  ],
};

function validateBudget(budget: KubeObject): FieldError[] {
  const spec = objectAt(budget, 'spec') ?? {};
  const given = ['minAvailable', 'maxUnavailable'].filter((name) => spec[name] !== undefined);
  return [
    ...(given.length > 1 ? [invalid(specField, goForm('io.k8s.api.policy.v1.PodDisruptionBudgetSpec', spec), 'minAvailable and maxUnavailable cannot be both set')] : []),
    ...given.flatMap((name) => [...validateAmountOrPercent(spec[name], specField.child(name)), ...validateAtMost100Percent(spec[name], specField.child(name))]),
    ...validateLabelSelector(objectAt(spec, 'selector'), specField.child('selector')),
    ...givenOneOf(spec['unhealthyPodEvictionPolicy'], ['AlwaysAllow', 'IfHealthyBudget'], specField.child('unhealthyPodEvictionPolicy')),
  ];
}
