import { Counter } from '#shared/observability/metrics/counter.ts';
import { stabilityOf, type Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import { withAllowedLabels, type AllowedLabels } from './allowed-labels.ts';

/** What the flags of metrics say. */
export interface ExpositionRules {
  /** Names of families that are turned off; this goes before {@link showsHidden}. */
  readonly disabled: ReadonlySet<string>;
  /** Labels whose values are limited, by the name of the family. */
  readonly allowed: ReadonlyMap<string, AllowedLabels>;
  /** Whether families are shown that are hidden since their deprecation. */
  readonly showsHidden: boolean;
  /** The minor number of the release, of major 1. */
  readonly minor: number;
}

/** Releases after the deprecating one that still show a family, by stability (component-base/metrics/registry.go). */
const shownReleases: ReadonlyMap<string, number> = new Map([
  ['STABLE', 3],
  ['BETA', 1],
]);

/** Decides which families are shown, limits their labels, and counts what it did. */
export class ShownFamilies {
  readonly #rules: ExpositionRules;
  readonly #unexpected = new Counter(
    'cardinality_enforcement_unexpected_categorizations_total',
    '[ALPHA] The count of unexpected categorizations during cardinality enforcement.',
    [],
  );
  readonly #limited = new WeakMap<Family, Family>();
  readonly #own = new MetricsRegistry();
  #hidden = 0;
  #registered: readonly (readonly [readonly [string, string], number])[] = [];

  /** @param countsFamilies whether the families about the families are shown, too */
  constructor(rules: ExpositionRules, countsFamilies = true) {
    this.#rules = rules;
    if (!countsFamilies) return;
    const { disabled } = rules;
    this.#own.add(this.#unexpected);
    this.#own.counterFrom(
      'disabled_metrics_total',
      '[BETA] The count of disabled metrics.',
      () => disabled.size,
      'own',
    );
    this.#own.counterFrom('hidden_metrics_total', '[BETA] The count of hidden metrics.', () => this.#hidden, 'own');
    const help = '[BETA] The count of registered metrics broken by stability level and deprecation version.';
    this.#own.add({
      name: 'registered_metrics_total',
      type: 'counter',
      help,
      labelNames: ['stability_level', 'deprecated_version'],
      merged: 'own',
      samples: () => this.#registered.map(([labels, value]) => ({ labels, value })),
    });
  }

  /** The families that are shown, with those about the families themselves. */
  of(families: readonly Family[]): Family[] {
    const all = [...families, ...this.#own.families()];
    const shown = all.filter((family) => this.#isShown(family));
    this.#hidden = all.length - shown.length;
    this.#registered = [...countsByStability(shown)];
    return shown.map((family) => this.#limitedOf(family));
  }

  #isShown(family: Family): boolean {
    const { disabled, showsHidden, minor } = this.#rules;
    if (disabled.has(family.name)) return false;
    const { level, deprecatedSince } = stabilityOf(family);
    if (deprecatedSince === '' || showsHidden) return true;
    return Number(deprecatedSince.split('.')[1]) + (shownReleases.get(level) ?? 0) > minor;
  }

  #limitedOf(family: Family): Family {
    const allowed = this.#rules.allowed.get(family.name);
    if (allowed === undefined) return family;
    let limited = this.#limited.get(family);
    if (limited === undefined)
      this.#limited.set(family, (limited = withAllowedLabels(family, allowed, this.#unexpected)));
    return limited;
  }
}

function* countsByStability(families: readonly Family[]): Iterable<readonly [readonly [string, string], number]> {
  const counts = Map.groupBy(families, (family) => {
    const { level, deprecatedSince } = stabilityOf(family);
    return `${level} ${deprecatedSince}`;
  });
  for (const [key, { length }] of counts) {
    const [level = '', since = ''] = key.split(' ');
    if (level !== '') yield [[level, since], length];
  }
}
