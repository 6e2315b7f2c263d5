import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { validateConditions } from '#servers/core/validation/conditions.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import { validateAmountOrPercent, validateAtMost100Percent } from '#servers/core/validation/int-or-percent.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { givenOneOf, nonNegativeFields } from '#shared/apimachinery/validation/field-rules.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { podDisruptionBudgetRows } from './rows.ts';

const specField = path('spec');

/** PodDisruptionBudgets (pkg/registry/policy/poddisruptionbudget). */
const podDisruptionBudgetStrategy: Strategy = {
  completeStored: convertFromBeta,
  validate: validateBudget,
  validateUpdate: validateBudget,
  validateStatusUpdate: (budget) => [
    ...validateConditions(objectsAt(budget, 'status', 'conditions'), path('status', 'conditions')),
    ...nonNegativeFields(
      objectAt(budget, 'status'),
      ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'],
      path('status'),
    ),
  ],
};

const betaLabel = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

/**
 * Converts the selector of a budget that an old cluster stored in policy/v1beta1, where an empty selector selects
 * nothing (pkg/apis/policy/v1beta1/conversion.go).
 */
function convertFromBeta(budget: KubeObject): void {
  const selector = budget.apiVersion === 'policy/v1beta1' ? objectAt(budget, 'spec', 'selector') : undefined;
  if (selector === undefined) return;
  const expressions = objectsAt(selector, 'matchExpressions');
  if (Object.keys(objectAt(selector, 'matchLabels') ?? {}).length === 0 && expressions.length === 0) {
    selector['matchExpressions'] = [{ key: betaLabel, operator: 'Exists' }];
    return;
  }
  // In v1beta1 this key meant "select everything"; without it the selector is empty, which means the same in v1.
  const others = expressions.filter((expression) => stringAt(expression, 'key') !== betaLabel);
  if (others.length === expressions.length) return;
  if (others.length > 0) selector['matchExpressions'] = others;
  else delete selector['matchExpressions'];
}

function validateBudget(budget: KubeObject): FieldError[] {
  const spec = objectAt(budget, 'spec') ?? {};
  const given = ['minAvailable', 'maxUnavailable'].filter((name) => getKey(spec, name) !== undefined);
  return [
    ...(given.length > 1
      ? [
          invalid(
            specField,
            goForm('io.k8s.api.policy.v1.PodDisruptionBudgetSpec', spec),
            'minAvailable and maxUnavailable cannot be both set',
          ),
        ]
      : []),
    ...given.flatMap((name) => [
      ...validateAmountOrPercent(getKey(spec, name), specField.child(name)),
      ...validateAtMost100Percent(getKey(spec, name), specField.child(name)),
    ]),
    ...validateLabelSelector(objectAt(spec, 'selector'), specField.child('selector')),
    ...givenOneOf(
      spec['unhealthyPodEvictionPolicy'],
      ['AlwaysAllow', 'IfHealthyBudget'],
      specField.child('unhealthyPodEvictionPolicy'),
    ),
  ];
}

export const podDisruptionBudgetResource = defineBuiltIn({
  group: 'policy',
  resource: 'poddisruptionbudgets',
  rows: podDisruptionBudgetRows,
  strategy: podDisruptionBudgetStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'none',
    generation: 'spec',
  },
});
