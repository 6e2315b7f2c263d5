import { conditionIs, setCondition } from '#servers/extensions/crds/conditions.ts';
import type { DefinitionStep } from './definition-step.ts';

/** Sets Established once the names of a definition are accepted (apiextensions-apiserver/pkg/controller/establish). */
export const establishingStep: DefinitionStep = (object, _others, nowMs) => {
  if (!conditionIs(object, 'NamesAccepted', 'True') || conditionIs(object, 'Established', 'True')) return;
  setCondition(
    object,
    {
      type: 'Established',
      status: 'True',
      reason: 'InitialNamesAccepted',
      message: 'the initial names have been accepted',
    },
    nowMs,
  );
};
