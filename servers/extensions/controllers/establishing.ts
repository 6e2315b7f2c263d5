import { conditionIs, setCondition } from '#servers/extensions/crds/conditions.ts';
import { hasUsableCABundle } from '#servers/extensions/crds/validate-conversion.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import type { DefinitionStep } from './definition-step.ts';

const accepted = {
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
} as const;

const unusableCABundle = {
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
} as const;

/** Sets Established once the names of a definition are accepted (apiextensions-apiserver/pkg/controller/establish). */
export const establishingStep: DefinitionStep = (object, _others, nowMs) => {
  if (!conditionIs(object, 'NamesAccepted', 'True') || conditionIs(object, 'Established', 'True')) return;
  const usable = hasUsableCABundle(objectAt(object, 'spec', 'conversion', 'webhook'));
  setCondition(object, { type: 'Established', ...(usable ? accepted : unusableCABundle) }, nowMs);
};
