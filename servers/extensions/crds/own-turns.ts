import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AdmissionChain } from '../../../shared/admission/admission.ts';

/** Definitions are large: their decoding, validation and printing, which admission stands between, each get a turn of the event loop. */
export function inOwnTurns(chain: AdmissionChain): AdmissionChain {
  return {
    plugins: chain.plugins,
    handles: () => true,
    async admit(attributes) {
      await chain.admit(attributes);
      await nextTurn();
    },
    async validate(attributes) {
      await chain.validate(attributes);
      await nextTurn();
    },
  };
}
