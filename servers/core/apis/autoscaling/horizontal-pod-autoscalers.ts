import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { autoscalerConversion, dropConvertedAnnotations } from './autoscaler-conversion.ts';
import { validateAutoscaler, validateAutoscalerStatus } from './autoscaler-validation.ts';
import { horizontalPodAutoscalerRows } from './rows.ts';

/** HorizontalPodAutoscalers in autoscaling/v2, the stored version (pkg/apis/autoscaling/v2). */
const horizontalPodAutoscalerStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  validate: (autoscaler) => validateAutoscaler(autoscaler, gates),
  validateUpdate: (autoscaler, old) => validateAutoscaler(autoscaler, gates, old),
  validateStatusUpdate: validateAutoscalerStatus,
  applyDefaults(autoscaler) {
    dropConvertedAnnotations(autoscaler);
    applyV2Defaults(autoscaler);
  },
  // What was written as v1 is validated without these defaults, and gets them in storage, which is v2.
  canonicalize: applyV2Defaults,
});

function applyV2Defaults(autoscaler: KubeObject): void {
  const spec = ensureObject(autoscaler, 'spec');
  setDefault(spec, 'minReplicas', 1);
  if (objectsAt(spec, 'metrics').length === 0) {
    spec['metrics'] = [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
    ];
  }
  const behavior = objectAt(spec, 'behavior');
  if (!behavior) return;
  applyScalingDefaults(ensureObject(behavior, 'scaleUp'), 0, [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ]);
  applyScalingDefaults(ensureObject(behavior, 'scaleDown'), undefined, [
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ]);
}

function applyScalingDefaults(
  rules: JsonObject,
  stabilizationWindowSeconds: number | undefined,
  policies: JsonObject[],
): void {
  if (stabilizationWindowSeconds !== undefined)
    setDefault(rules, 'stabilizationWindowSeconds', stabilizationWindowSeconds);
  setDefault(rules, 'selectPolicy', 'Max');
  setDefault(rules, 'policies', policies);
}

export const horizontalPodAutoscalerResource = defineBuiltIn({
  group: 'autoscaling',
  resource: 'horizontalpodautoscalers',
  rows: horizontalPodAutoscalerRows,
  strategy: horizontalPodAutoscalerStrategy,
  gatedFields: [
    {
      gates: ['HPAConfigurableTolerance'],
      fields: ['spec.behavior.scaleDown.tolerance', 'spec.behavior.scaleUp.tolerance'],
    },
  ],
  conversions: { v1: autoscalerConversion },
});
