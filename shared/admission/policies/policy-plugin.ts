import { setTimeout as sleep } from 'node:timers/promises';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { isExemptFromPolicies, isPolicy } from '#shared/admission/matching/exempt-resources.ts';
import type { MatchCriteria } from '#shared/admission/matching/match-criteria.ts';
import { mayMatch } from '#shared/admission/matching/match-rule.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { PolicyHook } from './contract/policy-hook.ts';
import type { PolicyEnvironment } from './evaluation/policy-request.ts';
import type { PolicySource } from './policy-source.ts';

/** How long a request waits for policies that are being read. */
const readyWithinMs = 10_000;

/** What both plugins have in common: the policies of one kind, as requests see them. */
export abstract class PolicyPlugin<Evaluator> implements AdmissionPlugin {
  abstract readonly name: string;
  protected readonly environment: PolicyEnvironment;
  readonly #source: PolicySource<Evaluator>;

  constructor(source: PolicySource<Evaluator>, environment: PolicyEnvironment) {
    this.#source = source;
    this.environment = environment;
  }

  ready(): Promise<void> {
    return this.#source.ready();
  }

  onHandlesChanged(changed: () => void): void {
    this.#source.onChange(changed);
  }

  /** Whether a policy may match the operation on the resource, or policies are not known yet. */
  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    const hooks = isExemptFromPolicies(resource) ? this.#hooksAboutExempt(resource) : this.#source.hooks;
    return hooks === undefined || hooks.some(({ criteria }) => mayMatchPolicy(criteria, operation, resource));
  }

  /** The policies that may match. @throws StatusError 403 while they are not known */
  protected async hooksFor(attributes: AdmissionAttributes): Promise<readonly PolicyHook<Evaluator>[]> {
    if (isExemptFromPolicies(attributes.resource)) return this.#hooksAboutExempt(attributes.resource);
    const { hooks } = this.#source;
    if (hooks !== undefined) return hooks;
    await Promise.race([this.#source.ready().catch(() => undefined), sleep(readyWithinMs, undefined, { ref: false })]);
    if (this.#source.hooks === undefined) throw refuseAdmission(attributes, 'not yet ready to handle request');
    return this.#source.hooks;
  }

  /** Manifests can be mended without the API, so their policies are asked about other policies, too. */
  #hooksAboutExempt(resource: GroupResource): readonly PolicyHook<Evaluator>[] {
    return isPolicy(resource) ? this.#source.fixed : [];
  }
}

function mayMatchPolicy({ rules }: MatchCriteria, operation: AdmissionOperation, resource: GroupResource): boolean {
  return rules === undefined || rules.some((rule) => mayMatch(rule, operation, resource));
}
