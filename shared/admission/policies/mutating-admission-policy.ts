import type { AdmissionAttributes, AdmissionOperation, AdmissionRounds } from '#shared/admission/contract/admission.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { loadEngine } from './load-engine.ts';
import type { CompiledMutatingPolicy } from './mutating/compile-policy.ts';
import { refusedByFailures } from './mutating/policy-failure.ts';
import { PolicyPlugin } from './policy-plugin.ts';

/**
 * Changes objects by the expressions of MutatingAdmissionPolicies (apiserver/pkg/admission/plugin/policy/mutating). A
 * deletion has no object that could be changed.
 */
export class MutatingAdmissionPolicy extends PolicyPlugin<CompiledMutatingPolicy> {
  readonly name = 'MutatingAdmissionPolicy';

  override handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation !== 'DELETE' && super.handles(operation, resource);
  }

  async admit(attributes: AdmissionAttributes, rounds: AdmissionRounds): Promise<void> {
    const hooks = await this.hooksFor(attributes);
    if (hooks.length === 0) return;
    const { MutatingDispatch, PolicyRequest } = await loadEngine();
    const dispatch = new MutatingDispatch(new PolicyRequest(attributes, this.environment), rounds);
    const failures = await inRequestSlices(dispatch.run(hooks));
    if (failures.length > 0) throw refusedByFailures(attributes, failures);
  }
}
