import type { AdmissionChain } from './admission.ts';
import { createAdmissionChain, type AdmissionFlags } from './admission-chain.ts';
import { AlwaysDeny } from './always.ts';

/** The chain for a server whose objects lie in no namespace and hold no pods: few plugins have a say there. */
export function createClusterAdmission(flags: AdmissionFlags): AdmissionChain {
  return createAdmissionChain(flags, { AlwaysDeny: () => new AlwaysDeny() });
}
