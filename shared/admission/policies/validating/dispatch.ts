import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { outcomeOfRule } from '#shared/admission/contract/recorded-rules.ts';
import { RequestValues } from '#shared/admission/expressions/request-values.ts';
import { RequestVersions } from '#shared/admission/matching/request-versions.ts';
import type { Param } from '#shared/admission/policies/contract/param-source.ts';
import type { PolicyBinding, PolicyHook } from '#shared/admission/policies/contract/policy-hook.ts';
import { policyErrorText, type PolicyRequest } from '#shared/admission/policies/evaluation/policy-request.ts';
import { ParamError } from '#shared/admission/policies/params/collect-params.ts';
import { formatGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { stringsAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { AuditAnnotations, publishFailure } from './audit-annotations.ts';
import type { CompiledValidatingPolicy } from './compile-policy.ts';
import type { Denial } from './denial.ts';
import { evaluatePolicy, type PolicyDecision, type PolicyResult } from './evaluate-policy.ts';
import { countCheck, type EnforcementAction } from './policy-metrics.ts';

/** As what the actions of a binding are counted. */
const enforcementActions: ReadonlyMap<string, EnforcementAction> = new Map([
  ['Deny', 'deny'],
  ['Audit', 'audit'],
  ['Warn', 'warn'],
]);

export type ValidatingHook = PolicyHook<CompiledValidatingPolicy>;

/**
 * Validates one request by all policies (apiserver/pkg/admission/plugin/policy/validating, dispatcher.go). Denials are
 * collected: later policies still warn and annotate.
 */
export class ValidatingDispatch {
  readonly #request: PolicyRequest;
  readonly #evaluate: typeof evaluatePolicy;
  readonly #versions: RequestVersions;
  readonly #denials: Denial[] = [];
  /** The request in the versions that policies have matched. */
  readonly #values = new Map<string, RequestValues>();

  constructor(request: PolicyRequest, evaluate = evaluatePolicy) {
    this.#request = request;
    this.#evaluate = evaluate;
    this.#versions = new RequestVersions(request.attributes);
  }

  /** The denials; the first one is the answer. @throws StatusError if the namespace is not there */
  *run(hooks: readonly ValidatingHook[]): Steps<readonly Denial[]> {
    for (const hook of hooks) yield* this.#apply(hook);
    return this.#denials;
  }

  *#apply(hook: ValidatingHook): Steps<void> {
    let matched: ResourceMatch | undefined;
    try {
      matched = yield* this.#request.match(hook.criteria);
    } catch (error) {
      return this.#misconfigured(hook, undefined, policyErrorText(error));
    }
    if (matched === undefined) return;
    if (hook.configurationError !== undefined) return this.#misconfigured(hook, undefined, hook.configurationError);
    const annotations = new AuditAnnotations();
    for (const binding of hook.bindings) {
      const { recorder } = this.#request.attributes;
      const startedMs = recorder === undefined ? 0 : performance.now();
      const before = this.#denials.length;
      yield* this.#bind(hook, binding, matched, annotations);
      recorder?.record({
        phase: 'validating',
        plugin: 'ValidatingAdmissionPolicy',
        rule: `${hook.name}/${binding.name}`,
        ...outcomeOfRule(this.#denials[before]?.message, false),
        ms: performance.now() - startedMs,
        changed: [],
      });
    }
    annotations.publish(hook.name, this.#request.attributes);
  }

  *#bind(
    hook: ValidatingHook,
    binding: PolicyBinding,
    matched: ResourceMatch,
    annotations: AuditAnnotations,
  ): Steps<void> {
    let params: readonly (Param | undefined)[];
    let values: RequestValues | undefined;
    try {
      if (binding.criteria !== undefined && (yield* this.#request.match(binding.criteria)) === undefined) return;
      params = yield* this.#request.params(hook, binding);
      if (params.length > 0) values = yield* this.#valuesIn(matched);
    } catch (error) {
      return this.#misconfigured(hook, binding, policyErrorText(error));
    }
    const namespaceObject = yield* this.#request.namespaceObject();
    if (values === undefined) return;
    for (const param of params) {
      const variables = { resource: matched.resource, params: param?.value ?? null, namespaceObject };
      this.#take(hook, binding, yield* this.#evaluate(hook.evaluator, values, variables), annotations);
    }
  }

  *#valuesIn({ kind }: ResourceMatch): Steps<RequestValues> {
    const key = formatGroupVersionKind(kind);
    let values = this.#values.get(key);
    if (values === undefined) {
      try {
        values = new RequestValues(yield* this.#versions.of(kind), this.#request.authorizer);
      } catch (error) {
        throw new ParamError(`failed to convert object version: ${policyErrorText(error)}`);
      }
      this.#values.set(key, values);
    }
    return values;
  }

  #take(hook: ValidatingHook, binding: PolicyBinding, result: PolicyResult, annotations: AuditAnnotations): void {
    for (const [index, decision] of result.decisions.entries())
      if (decision.denies) this.#act(hook, binding, decision, index);
      else if (decision.isError) countCheck(hook.name, binding.name, 'allow', decision);
    for (const annotation of result.annotations) {
      if (annotation === undefined) continue;
      if ('value' in annotation) annotations.add(annotation.key, annotation.value);
      else {
        this.#deny(hook, binding, '', annotation.error);
        countCheck(hook.name, binding.name, 'deny', { message: annotation.error, ms: annotation.ms });
      }
    }
  }

  #act(hook: ValidatingHook, binding: PolicyBinding, decision: PolicyDecision, index: number): void {
    const { reason, message } = decision;
    const validationActions = stringsAt(binding.spec, 'validationActions');
    const { attributes } = this.#request;
    for (const action of validationActions) {
      const counted = enforcementActions.get(action);
      if (counted !== undefined) countCheck(hook.name, binding.name, counted, decision);
      if (action === 'Deny') this.#deny(hook, binding, reason, message);
      else if (action === 'Warn')
        attributes.addWarning(
          `Validation failed for ValidatingAdmissionPolicy '${hook.name}' with binding '${binding.name}': ${message}`,
        );
      else if (action === 'Audit') {
        const failure = {
          message,
          policy: hook.name,
          binding: binding.name,
          expressionIndex: index,
          validationActions,
        };
        publishFailure(failure, attributes);
      }
    }
  }

  #misconfigured(hook: ValidatingHook, binding: PolicyBinding | undefined, message: string): void {
    if (hook.failurePolicy === 'Ignore') return;
    const part = binding === undefined ? 'policy' : 'binding';
    this.#deny(hook, binding, '', `failed to configure ${part}: ${message}`);
  }

  #deny(hook: ValidatingHook, binding: PolicyBinding | undefined, reason: string, message: string): void {
    this.#denials.push({ policy: hook.name, binding: binding?.name, reason, message });
  }
}
