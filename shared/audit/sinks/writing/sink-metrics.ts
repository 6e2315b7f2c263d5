import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';

/** Why events were not written, in the words of the label. */
export type DropReason =
  /** As many events wait as may, by their number or by their bytes. */
  | 'queue_full'
  | 'queue_bytes'
  /** Larger than the flags allow, without its objects, too. */
  | 'too_large'
  /** The file or the webhook did not take them. */
  | 'write_failed'
  /** They came after the end of the server had begun, or could not be written until then. */
  | 'closed';

/** Parts of sinks, as the reference names them. */
export type SinkPlugin = 'buffered' | 'truncate' | 'log' | 'webhook';

/** Told of events that are not written, and why. */
export type ReportDrop = (plugin: SinkPlugin, reason: DropReason, count: number, error: unknown) => void;

/** Counts events that are not written (apiserver/pkg/audit/metrics.go), and says why. */
export class SinkMetrics {
  readonly #errors = new Counter(
    'apiserver_audit_error_total',
    '[ALPHA] Audit events that were not written as they should be, by the part of the sink that failed.',
    ['plugin'],
  );
  readonly #drops = new Counter(
    'quarterdeck_audit_dropped_events_total',
    'Audit events that were not written, by the part of the sink that failed and the reason.',
    ['plugin', 'reason'],
  );

  families(): Family[] {
    return [this.#errors, this.#drops];
  }

  count(plugin: SinkPlugin, reason: DropReason, count: number): void {
    for (let at = 0; at < count; at++) {
      this.#errors.add(plugin);
      this.#drops.add(plugin, reason);
    }
  }
}
