import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { ingressPointWarnings } from '#servers/core/warnings/addresses.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { valueAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import {
  classAnnotation,
  validateClassAnnotation,
  validateIngress,
  validateIngressStatus,
} from './ingress-validation.ts';
import { ingressRows } from './rows.ts';

/** Ingresses (pkg/registry/networking/ingress). */
const ingressStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  validate: (ingress) => [...validateIngress(ingress, gates), ...validateClassAnnotation(ingress)],
  validateUpdate: (ingress, old) => validateIngress(ingress, gates, old),
  validateStatusUpdate: (ingress, old) => validateIngressStatus(ingress, gates, old),
  warningsOnCreate: classWarnings,
  warningsOnStatusUpdate: (ingress) => ingressPointWarnings(ingress, path('status')),
});

function classWarnings(ingress: KubeObject): string[] {
  const isOld =
    ingress.metadata.annotations?.[classAnnotation] !== undefined &&
    valueAt(ingress, 'spec', 'ingressClassName') === undefined;
  return isOld ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
}

export const ingressResource = defineBuiltIn({
  group: 'networking.k8s.io',
  resource: 'ingresses',
  rows: ingressRows,
  strategy: ingressStrategy,
  writes: {
    metadataOnUpdate: 'both',
    generation: 'spec',
  },
});
