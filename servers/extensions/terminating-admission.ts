import type { AdmissionAttributes, AdmissionChain } from '#shared/admission/contract/admission.ts';
import { newForbidden } from '#shared/apimachinery/errors/status.ts';

/** Forbids creates of a resource whose definition is being deleted; passes all other requests to the chain. */
export function forbidCreate(
  chain: AdmissionChain,
  isTerminating: (group: string, resource: string) => boolean,
): AdmissionChain {
  const refuse = ({ operation, resource, name }: AdmissionAttributes): void => {
    if (operation !== 'CREATE' || !isTerminating(resource.group, resource.resource)) return;
    throw newForbidden(
      { group: resource.group, resource: resource.resource },
      name,
      'create not allowed while custom resource definition is terminating',
    );
  };
  return {
    plugins: chain.plugins,
    handles: (operation, ...rest) => operation === 'CREATE' || chain.handles(operation, ...rest),
    async admit(attributes) {
      refuse(attributes);
      await chain.admit(attributes);
    },
    async validate(attributes) {
      refuse(attributes);
      await chain.validate(attributes);
    },
  };
}
