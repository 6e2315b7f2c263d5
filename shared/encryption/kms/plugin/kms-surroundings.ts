import type { EnvelopeMetrics } from './envelope-metrics.ts';

/** What all KMS providers of a process share. */
export interface KmsSurroundings {
  readonly metrics: EnvelopeMetrics;
  /** Called every ten seconds while a plugin is away. */
  readonly reportError: (message: string, error: unknown) => void;
  /** In milliseconds; runs on while clocks are set. Default: performance.now. */
  readonly now?: () => number;
}
