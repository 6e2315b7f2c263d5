import type { AdmissionOperation } from '#shared/admission/contract/admission.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import { mayWant, type AdmissionWebhook } from './admission-webhook.ts';

/** A webhook with its place among all of its kind. */
export interface PlacedWebhook {
  readonly webhook: AdmissionWebhook;
  readonly index: number;
}

const none: readonly PlacedWebhook[] = [];
/** Clients make up groups and resources, so the index is forgotten when it holds this many. */
const maxIndexed = 10_000;

/** All webhooks of one kind at one time, in the order in which they run. Immutable: a change makes another one. */
export class WebhookSnapshot {
  readonly #webhooks: readonly PlacedWebhook[];
  readonly #index = new Map<string, readonly PlacedWebhook[]>();

  constructor(webhooks: readonly AdmissionWebhook[]) {
    this.#webhooks = webhooks.map((webhook, index) => ({ webhook, index }));
  }

  /**
   * The webhooks with a rule about the resource and operation. They are looked for once, so that requests that no
   * webhook wants pay nothing, however many rules there are.
   */
  about(operation: AdmissionOperation, { group, resource }: GroupResource): readonly PlacedWebhook[] {
    if (this.#webhooks.length === 0) return none;
    const key = joinedKey([operation, group, resource]);
    let found = this.#index.get(key);
    if (found === undefined) {
      found = this.#webhooks.filter(({ webhook }) => mayWant(webhook, operation, { group, resource }));
      if (this.#index.size >= maxIndexed) this.#index.clear();
      this.#index.set(key, found);
    }
    return found;
  }
}
