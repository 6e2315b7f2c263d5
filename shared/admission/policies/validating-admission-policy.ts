import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { ActivePolicies } from './active-policies.ts';
import type { PolicyEnvironment } from './evaluation/policy-request.ts';
import { loadEngine } from './load-engine.ts';
import type { PolicySource } from './policy-source.ts';
import type { CompiledValidatingPolicy } from './validating/compile-policy.ts';
import { deniedRequest } from './validating/denial.ts';

/**
 * Validates requests by the expressions of ValidatingAdmissionPolicies
 * (apiserver/pkg/admission/plugin/policy/validating).
 */
export class ValidatingAdmissionPolicy implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionPolicy';
  readonly #policies: ActivePolicies<CompiledValidatingPolicy>;
  readonly #environment: PolicyEnvironment;

  constructor(source: PolicySource<CompiledValidatingPolicy>, environment: PolicyEnvironment) {
    this.#policies = new ActivePolicies(source);
    this.#environment = environment;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return this.#policies.handles(operation, resource);
  }

  onHandlesChanged(changed: () => void): void {
    this.#policies.onChange(changed);
  }

  ready(): Promise<void> {
    return this.#policies.ready();
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const hooks = await this.#policies.hooksFor(attributes);
    if (hooks.length === 0) return;
    const { PolicyRequest, ValidatingDispatch } = await loadEngine();
    const dispatch = new ValidatingDispatch(new PolicyRequest(attributes, this.#environment));
    const [denial] = await inRequestSlices(dispatch.run(hooks));
    if (denial !== undefined) throw deniedRequest(attributes, denial);
  }
}
