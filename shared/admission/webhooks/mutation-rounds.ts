import type { AdmissionAttributes, AdmissionRounds } from '#shared/admission/contract/admission.ts';
import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { deepEqualInSteps } from '#shared/apimachinery/schema/deep-equal.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { AdmissionWebhook } from './admission-webhook.ts';

/** Which webhooks are called again in the second round (webhook/mutating/reinvocationcontext.go). */
export class MutationRounds {
  readonly #rounds: AdmissionRounds;
  /** The object as the last round left it. */
  #left: KubeObject | undefined;
  /** Webhooks that may be called again, and were called since the last change. */
  readonly #called = new Set<string>();
  /** Webhooks to call in the second round. */
  readonly #again = new Set<string>();

  private constructor(rounds: AdmissionRounds) {
    this.#rounds = rounds;
  }

  static of(plugin: string, rounds: AdmissionRounds): MutationRounds {
    const known = rounds.kept.get(plugin);
    if (known instanceof MutationRounds) return known;
    const made = new MutationRounds(rounds);
    rounds.kept.set(plugin, made);
    return made;
  }

  /** In the second round, other plugins may have changed the object since the webhooks saw it. */
  *begin({ object }: AdmissionAttributes): Steps<void> {
    if (this.#rounds.isSecond && !(yield* deepEqualInSteps(this.#left, object))) this.#repeatCalled();
  }

  *end({ object }: AdmissionAttributes): Steps<void> {
    const isWanted = this.#called.size + this.#again.size > 0 && !this.#rounds.isSecond;
    this.#left = isWanted && object !== undefined ? yield* cloneInSteps(object) : undefined;
  }

  /** No webhook is called for the first time in the second round. */
  mayCall({ uid }: AdmissionWebhook): boolean {
    return !this.#rounds.isSecond || this.#again.has(uid);
  }

  called({ uid, isReinvoked }: AdmissionWebhook, changed: boolean): void {
    if (changed) {
      this.#repeatCalled();
      this.#rounds.requestSecond();
    }
    if (isReinvoked) this.#called.add(uid);
  }

  #repeatCalled(): void {
    for (const uid of this.#called) this.#again.add(uid);
    this.#called.clear();
  }
}
