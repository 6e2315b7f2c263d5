import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { collectFamilies } from '#shared/observability/exposition/collected-family.ts';
import { textForm } from '#shared/observability/exposition/text-form.ts';
import type { Family } from '#shared/observability/metrics/family.ts';

/** Prometheus' text form of families. */
export function printFamilies(families: Iterable<Family>): string {
  return Buffer.concat(atOnce(textForm(atOnce(collectFamilies(families))))).toString();
}
