import { objectAt } from '../../../shared/apimachinery/object.ts';
import { setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** IngressClasses (pkg/apis/networking/v1/defaults.go). */
export const ingressClassStrategy: Strategy = {
  applyDefaults(ingressClass) {
    const parameters = objectAt(ingressClass, 'spec', 'parameters');
    if (parameters) setDefault(parameters, 'scope', 'Cluster');
  },
};
