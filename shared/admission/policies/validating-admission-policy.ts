import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { loadEngine } from './load-engine.ts';
import { PolicyPlugin } from './policy-plugin.ts';
import type { CompiledValidatingPolicy } from './validating/compile-policy.ts';
import { deniedRequest } from './validating/denial.ts';

/**
 * Validates requests by the expressions of ValidatingAdmissionPolicies
 * (apiserver/pkg/admission/plugin/policy/validating).
 */
export class ValidatingAdmissionPolicy extends PolicyPlugin<CompiledValidatingPolicy> {
  readonly name = 'ValidatingAdmissionPolicy';

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const hooks = await this.hooksFor(attributes);
    if (hooks.length === 0) return;
    const { PolicyRequest, ValidatingDispatch } = await loadEngine();
    const dispatch = new ValidatingDispatch(new PolicyRequest(attributes, this.environment));
    const [denial] = await inRequestSlices(dispatch.run(hooks));
    if (denial !== undefined) throw deniedRequest(attributes, denial);
  }
}
