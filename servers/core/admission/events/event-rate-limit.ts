import type { EventLimitRule } from '#shared/admission/configuration/event-rate-limit-configuration.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isCore } from '#shared/admission/contract/attribute-match.ts';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { newTooManyRequests } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { EventLimit } from './event-limit.ts';

/**
 * Refuses events that come too fast: altogether, in a namespace, of a user, or of one source about one object
 * (plugin/pkg/admission/eventratelimit). Events of `events.k8s.io` are not limited, as in the reference.
 */
export class EventRateLimit implements AdmissionPlugin {
  readonly name = 'EventRateLimit';
  readonly #limits: readonly EventLimit[];
  readonly #now: () => number;

  /** `now`: milliseconds of a clock that is never set back. */
  constructor(limits: readonly EventLimitRule[] = [], now: () => number = () => performance.now()) {
    this.#limits = limits.map((limit) => new EventLimit(limit));
    this.#now = now;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return isCore(resource, 'events') && (operation === 'CREATE' || operation === 'UPDATE');
  }

  validate(attributes: AdmissionAttributes): void {
    if (attributes.dryRun) return;
    const now = this.#now();
    // Every limit is asked: a refused event uses up tokens of the others.
    const refusals = this.#limits.flatMap((limit) => limit.refusalOf(attributes, now) ?? []);
    if (refusals.length > 0) throw newTooManyRequests(`Too many requests: ${aggregateMessages(refusals)}`, 0);
  }
}
