import type { AdmissionRounds } from '#shared/admission/contract/admission.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { mostChangedPaths, outcomeOfRule } from '#shared/admission/contract/recorded-rules.ts';
import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import { RequestValues } from '#shared/admission/expressions/request-values.ts';
import { RequestVersions } from '#shared/admission/matching/request-versions.ts';
import type { Param } from '#shared/admission/policies/contract/param-source.ts';
import type { PolicyBinding, PolicyHook } from '#shared/admission/policies/contract/policy-hook.ts';
import { costOfPolicy } from '#shared/admission/policies/evaluation/policy-expressions.ts';
import { policyErrorText, type PolicyRequest } from '#shared/admission/policies/evaluation/policy-request.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { changedPaths } from '#shared/apimachinery/json/changed-paths.ts';
import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { ExpressionError } from '#shared/cel/uses/compile-expression.ts';
import { ConditionBudgetExceeded, evaluateConditions } from '#shared/cel/uses/conditions.ts';
import type { Value } from '#shared/cel/values/value.ts';
import type { AdmissionRecorder } from '#shared/request/admission-step.ts';
import { applyConfiguration } from './apply-configuration.ts';
import type { CompiledMutatingPolicy, CompiledMutation } from './compile-policy.ts';
import { patchObject } from './json-patch.ts';
import { MutationError } from './mutation-error.ts';
import type { PolicyFailure } from './policy-failure.ts';
import { countMutation } from './policy-metrics.ts';
import { PolicyRounds } from './policy-rounds.ts';
import { requireRequestedVersion } from './requested-version.ts';

export type MutatingHook = PolicyHook<CompiledMutatingPolicy>;

/** One evaluation: a policy with a binding and a parameter. */
interface Invocation {
  readonly hook: MutatingHook;
  readonly binding: PolicyBinding;
  readonly matched: ResourceMatch;
  readonly param: Param | undefined;
}

/** Changes one request by all policies (apiserver/pkg/admission/plugin/policy/mutating, dispatcher.go). */
export class MutatingDispatch {
  readonly #request: PolicyRequest;
  readonly #rounds: AdmissionRounds;
  readonly #versions: RequestVersions;
  readonly #failures: PolicyFailure[] = [];
  #isChanged = false;

  constructor(request: PolicyRequest, rounds: AdmissionRounds) {
    this.#request = request;
    this.#rounds = rounds;
    this.#versions = new RequestVersions(request.attributes);
  }

  /** The errors that refuse the request. @throws StatusError for errors that no `failurePolicy` is asked about */
  *run(hooks: readonly MutatingHook[]): Steps<readonly PolicyFailure[]> {
    const invocations: Invocation[] = [];
    for (const hook of hooks) invocations.push(...(yield* this.#invocationsOf(hook)));
    if (invocations.length === 0) return this.#failures;
    const { attributes } = this.#request;
    const rounds = PolicyRounds.of(this.#rounds);
    if (this.#rounds.isSecond) rounds.beginSecond(attributes.object);
    const namespaceObject = yield* this.#request.namespaceObject();
    for (const invocation of invocations) {
      const { recorder } = attributes;
      const invoke = this.#invoke(invocation, rounds, namespaceObject);
      if (recorder === undefined) yield* invoke;
      else yield* this.#record(invocation, invoke, recorder);
    }
    if (this.#isChanged) this.#rounds.requestSecond();
    rounds.end(attributes.object, this.#isChanged);
    return this.#failures;
  }

  /** Runs one evaluation, and tells the recorder what it did. */
  *#record({ hook, binding, matched }: Invocation, invoke: Steps<void>, recorder: AdmissionRecorder): Steps<void> {
    const { object: before } = yield* this.#versions.of(matched.kind);
    const copy = before === undefined ? null : yield* cloneInSteps(before);
    const failures = this.#failures.length;
    const startedMs = performance.now();
    yield* invoke;
    const ms = performance.now() - startedMs;
    const { object: after = null } = yield* this.#versions.of(matched.kind);
    recorder.record({
      phase: 'mutating',
      plugin: 'MutatingAdmissionPolicy',
      rule: `${hook.name}/${binding.name}`,
      ...outcomeOfRule(this.#failures[failures]?.message, false),
      ms,
      changed: yield* changedPaths(copy, after, mostChangedPaths),
    });
  }

  *#invocationsOf(hook: MutatingHook): Steps<Invocation[]> {
    let matched: ResourceMatch | undefined;
    try {
      matched = yield* this.#request.match(hook.criteria);
    } catch (error) {
      this.#fail(hook, undefined, `failed to configure policy: ${policyErrorText(error)}`);
    }
    if (matched === undefined) return [];
    if (hook.configurationError !== undefined) {
      this.#fail(hook, undefined, `failed to configure policy: ${hook.configurationError}`);
      return [];
    }
    const invocations: Invocation[] = [];
    for (const binding of hook.bindings)
      for (const param of yield* this.#paramsOf(hook, binding, matched))
        invocations.push({ hook, binding, matched, param });
    return invocations;
  }

  *#paramsOf(
    hook: MutatingHook,
    binding: PolicyBinding,
    { kind }: ResourceMatch,
  ): Steps<readonly (Param | undefined)[]> {
    try {
      if (binding.criteria !== undefined && (yield* this.#request.match(binding.criteria)) === undefined) return [];
      // A conversion that fails is an error of the binding.
      yield* this.#versions.of(kind);
      return yield* this.#request.params(hook, binding);
    } catch (error) {
      this.#fail(hook, binding, `failed to configure binding: ${policyErrorText(error)}`);
      return [];
    }
  }

  *#invoke(invocation: Invocation, rounds: PolicyRounds, namespaceObject: Value): Steps<void> {
    const { hook, binding, matched, param } = invocation;
    const { matchConditions, mutations, mayRunAgain } = hook.evaluator;
    const versioned = yield* this.#versions.of(matched.kind);
    const params = param?.value ?? null;
    if (matchConditions !== undefined) {
      const outcome = yield* matchConditions.match(this.#valuesOf(versioned), params);
      if ('error' in outcome) this.#fail(hook, binding, outcome.error, 'Invalid');
      if ('error' in outcome || !outcome.matches) return;
    }
    const { namespace = '', name = '' } = param?.object.metadata ?? {};
    const key = [hook.name, binding.name, namespace, name].join('/');
    if (this.#rounds.isSecond && !rounds.runsAgain(key)) return;
    const variables = { resource: matched.resource, params, namespaceObject, authorizer: true };
    for (const mutation of mutations) {
      const current = yield* this.#versions.of(matched.kind);
      if (current.object === undefined) break;
      const startedMs = performance.now();
      try {
        const result = yield* evaluateMutation(hook.evaluator, mutation, this.#valuesOf(current).bindings(variables));
        const change = mutation.type === 'JSONPatch' ? patchObject : applyConfiguration;
        const changed = yield* change(current, current.object, result);
        requireRequestedVersion(current);
        yield* this.#take(changed, current);
        countMutation(hook.name, binding.name, startedMs);
        this.#isChanged = true;
      } catch (error) {
        if (error instanceof Error) countMutation(hook.name, binding.name, startedMs, error);
        if (!(error instanceof MutationError)) throw error;
        this.#fail(hook, binding, error.message, 'Invalid');
      }
    }
    if (mayRunAgain) rounds.add(key);
  }

  /** A merged object is checked by its schema only: its type may still refuse an amount or a time. */
  *#take(changed: KubeObject, { kind, schema }: VersionedAttributes): Steps<void> {
    try {
      yield* this.#versions.take(changed, kind);
    } catch (error) {
      if (error instanceof StatusError || !(error instanceof Error)) throw error;
      const doing = `unable to convert unstructured object to ${formatGroupVersionKind(kind)}: `;
      throw new MutationError(`${schema.custom === undefined ? doing : ''}${error.message}`);
    }
  }

  #valuesOf(versioned: VersionedAttributes): RequestValues {
    return new RequestValues(versioned, this.#request.authorizer);
  }

  #fail(hook: MutatingHook, binding: PolicyBinding | undefined, message: string, reason = ''): void {
    if (hook.failurePolicy === 'Ignore') return;
    this.#failures.push({ policy: hook.name, binding: binding?.name, message, reason });
  }
}

/** @throws MutationError */
function* evaluateMutation(
  { variables }: CompiledMutatingPolicy,
  { compiled }: CompiledMutation,
  bindings: ReturnType<RequestValues['bindings']>,
): Steps<Value> {
  if (compiled instanceof ExpressionError) throw new MutationError(compiled.detail);
  try {
    const { outcomes } = yield* evaluateConditions({ expressions: [compiled], variables }, bindings, costOfPolicy);
    const [outcome] = outcomes;
    if (outcome !== undefined && 'value' in outcome) return outcome.value;
    throw new MutationError(outcome?.error ?? '');
  } catch (error) {
    throw error instanceof ConditionBudgetExceeded ? new MutationError(error.message) : error;
  }
}
