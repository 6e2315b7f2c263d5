import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  AdmissionRounds,
} from '#shared/admission/contract/admission.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { ActivePolicies } from './active-policies.ts';
import type { PolicyEnvironment } from './evaluation/policy-request.ts';
import { loadEngine } from './load-engine.ts';
import type { CompiledMutatingPolicy } from './mutating/compile-policy.ts';
import { refusedByFailures } from './mutating/policy-failure.ts';
import type { PolicySource } from './policy-source.ts';

/**
 * Changes objects by the expressions of MutatingAdmissionPolicies (apiserver/pkg/admission/plugin/policy/mutating). A
 * deletion has no object that could be changed.
 */
export class MutatingAdmissionPolicy implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionPolicy';
  readonly #policies: ActivePolicies<CompiledMutatingPolicy>;
  readonly #environment: PolicyEnvironment;

  constructor(source: PolicySource<CompiledMutatingPolicy>, environment: PolicyEnvironment) {
    this.#policies = new ActivePolicies(source);
    this.#environment = environment;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return operation !== 'DELETE' && this.#policies.handles(operation, resource);
  }

  onHandlesChanged(changed: () => void): void {
    this.#policies.onChange(changed);
  }

  ready(): Promise<void> {
    return this.#policies.ready();
  }

  async admit(attributes: AdmissionAttributes, rounds: AdmissionRounds): Promise<void> {
    const hooks = await this.#policies.hooksFor(attributes);
    if (hooks.length === 0) return;
    const { MutatingDispatch, PolicyRequest } = await loadEngine();
    const dispatch = new MutatingDispatch(new PolicyRequest(attributes, this.#environment), rounds);
    const failures = await inRequestSlices(dispatch.run(hooks));
    if (failures.length > 0) throw refusedByFailures(attributes, failures);
  }
}
