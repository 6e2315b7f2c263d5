import { Counter, type Count } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';

const helps = {
  legacy_tokens_total: 'Uses of legacy service account tokens.',
  stale_tokens_total: 'Uses of projected service account tokens that should have been renewed.',
  valid_tokens_total: 'Uses of projected service account tokens that are not stale.',
  legacy_manual_token_uses_total: 'Uses of legacy tokens in secrets that were made by hand.',
  legacy_auto_token_uses_total: 'Uses of legacy tokens in secrets that were generated.',
  invalid_legacy_auto_token_uses_total: 'Uses of generated legacy tokens that are marked as invalid.',
} as const;

export type TokenUse = keyof typeof helps;

/**
 * Counts uses of service-account tokens by their kind (pkg/serviceaccount/metrics.go). As there, uses of a token that
 * was checked before, and is kept, are not counted.
 */
export class TokenUseMetrics {
  readonly families: readonly Family[];
  readonly #counts = new Map<TokenUse, Count>();

  constructor() {
    this.families = (Object.keys(helps) as TokenUse[]).map((use) => {
      const counter = new Counter(`serviceaccount_${use}`, `[ALPHA] ${helps[use]}`, []);
      this.#counts.set(use, counter.of());
      return counter;
    });
  }

  count(use: TokenUse): void {
    const count = this.#counts.get(use);
    if (count !== undefined) count.value++;
  }
}
