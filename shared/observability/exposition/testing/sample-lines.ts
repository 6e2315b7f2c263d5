import type { Family } from '#shared/observability/metrics/family.ts';
import { printFamilies } from './print-families.ts';

/** The lines of samples of families, in Prometheus' text form. */
export function sampleLines(...families: readonly Family[]): string[] {
  return printFamilies(families)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}
