import type { Family } from '#shared/observability/metrics.ts';

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
  readonly #counts = new Map<TokenUse, number>();

  constructor() {
    this.families = (Object.keys(helps) as TokenUse[]).map((use) => {
      const name = `serviceaccount_${use}`;
      const lines = (): string[] => [`${name} ${this.#counts.get(use) ?? 0}`];
      return { name, type: 'counter', help: `[ALPHA] ${helps[use]}`, lines };
    });
  }

  count(use: TokenUse): void {
    this.#counts.set(use, (this.#counts.get(use) ?? 0) + 1);
  }
}
