import type { AdmissionRounds } from '#shared/admission/contract/admission.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';

const key = 'MutatingAdmissionPolicy';

/**
 * What the plugin keeps between the two rounds of a request: which policies may run again, and what they left
 * (apiserver/pkg/admission/plugin/policy/mutating, reinvocationcontext.go).
 */
export class PolicyRounds {
  readonly #mayRunAgain = new Set<string>();
  #lastOutput: KubeObject | undefined;
  #isAgainNeeded = false;

  static of(rounds: AdmissionRounds): PolicyRounds {
    const kept = rounds.kept.get(key);
    if (kept instanceof PolicyRounds) return kept;
    const made = new PolicyRounds();
    rounds.kept.set(key, made);
    return made;
  }

  /** Begins the second round: policies run again if anyone has changed the object since. */
  beginSecond(object: KubeObject | undefined): void {
    if (!deepEqual(this.#lastOutput, object)) this.#isAgainNeeded = true;
  }

  /** Ends a round: a change makes all policies of the round that may run again do so in the next one. */
  end(object: KubeObject | undefined, changed: boolean): void {
    if (changed) this.#isAgainNeeded = true;
    this.#lastOutput = object === undefined ? undefined : cloneJson(object);
  }

  /** Notes an evaluation, by policy, binding and parameter, that may be repeated. */
  add(invocation: string): void {
    this.#mayRunAgain.add(invocation);
  }

  runsAgain(invocation: string): boolean {
    return this.#isAgainNeeded && this.#mayRunAgain.has(invocation);
  }
}
