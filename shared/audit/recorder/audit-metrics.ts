import type { AuditLevel } from '#shared/audit/contract/audit-event.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';

/** Counts requests by the level of their events, the events, and the requests that were refused for one. */
export class AuditMetrics {
  readonly #registry = new MetricsRegistry();
  readonly #levels = this.#registry.counter(
    'apiserver_audit_level_total',
    'Requests by the level that the audit policy gives them.',
    ['level'],
  );
  #events = 0;
  #rejected = 0;
  #truncated = 0;

  /** @param ofSinks printed with the own ones */
  constructor(ofSinks: readonly Family[]) {
    for (const family of ofSinks) this.#registry.add(family);
    this.#registry.counterFrom(
      'apiserver_audit_event_total',
      'Audit events that were made and given to the sinks.',
      () => this.#events,
    );
    this.#registry.counterFrom(
      'apiserver_audit_requests_rejected_total',
      'Requests that were refused since their first audit event could not be written.',
      () => this.#rejected,
    );
    this.#registry.counterFrom(
      'quarterdeck_audit_truncated_requests_total',
      'Requests whose objects are missing in their events, since those of all running requests take too much memory.',
      () => this.#truncated,
    );
  }

  truncated(): void {
    this.#truncated++;
  }

  decided(level: AuditLevel): void {
    this.#levels.add(level);
  }

  made(): void {
    this.#events++;
  }

  rejected(): void {
    this.#rejected++;
  }

  families(): readonly Family[] {
    return this.#registry.families();
  }
}
