import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateIngress, validateIngressStatus } from './ingress-validation.ts';

/** Ingresses (pkg/registry/networking/ingress). */
export const ingressStrategy: Strategy = {
  validate: (_context, ingress) => validateIngress(ingress),
  validateUpdate: (_context, ingress) => validateIngress(ingress),
  validateStatusUpdate: (_context, ingress, old) => validateIngressStatus(ingress, old),
};
