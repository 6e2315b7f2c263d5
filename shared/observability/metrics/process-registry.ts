import { MetricsRegistry } from './registry.ts';

/**
 * Families that code deep in a process counts in, whichever of its servers runs it: no flag says anything about them.
 * Every server shows them.
 */
export const processRegistry = new MetricsRegistry();
