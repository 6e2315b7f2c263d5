/** Values of the labels, in the order of the family's names. */
export type Labels = readonly string[];

/** Observations of one histogram, or of one summary, which has no bounds and always native buckets. */
export interface HistogramValue {
  /** Observations up to each bound, without those of the bounds before; what is above the last bound is in no bucket. */
  readonly counts: ArrayLike<number>;
  readonly sum: number;
  readonly count: number;
  /** Absent without native histograms. */
  readonly native?: NativeBuckets | undefined;
}

/** Exponential buckets by index, as of one schema: bounds grow by `2 ** 2 ** -schema`. */
export interface NativeBuckets {
  readonly schema: number;
  readonly zeroCount: number;
  readonly positive: ReadonlyMap<number, number>;
  readonly negative: ReadonlyMap<number, number>;
}

export interface Sample {
  readonly labels: Labels;
  /** A number, but for histograms and summaries. */
  readonly value: number | HistogramValue;
}

/**
 * How samples of the same labels of several processes of a server become one. `sum` adds them, also those of processes
 * that are gone, so that counts never fall. `max` takes the largest, `first` one of any process, for what all count
 * alike. `own` is for what says something about the process: the gateway shows its own alone.
 */
export type MergeRule = 'sum' | 'max' | 'first' | 'own';

/** What a family is, without its samples. */
export interface FamilyHead {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** As it is shown: with the stability level, and the release that deprecated it, as {@link stabilityOf} reads them. */
  readonly help: string;
  readonly labelNames: Labels;
  /** Upper bounds of a histogram, ascending, without infinity. */
  readonly buckets?: readonly number[] | undefined;
  /** Default: `own` for gauges, `sum` for all others. */
  readonly merged?: MergeRule | undefined;
}

/** A family of metrics. */
export interface Family extends FamilyHead {
  samples(): Iterable<Sample>;
  /** Called before the samples are read, where they come from elsewhere. */
  readonly refresh?: () => Promise<void>;
  /** Counts from zero on; absent for families that say what is. */
  reset?(): void;
}

export interface Stability {
  /** STABLE, BETA or ALPHA; empty for families that no release of Kubernetes promises. */
  readonly level: string;
  /** The release that deprecated the family, as `1.34.0`; empty if none did. */
  readonly deprecatedSince: string;
}

/** Reads the beginning of a help text (component-base/metrics/opts.go). */
export function stabilityOf({ help }: FamilyHead): Stability {
  const [, level = '', deprecatedSince = ''] =
    /^(?:\[(STABLE|BETA|ALPHA)\] )?(?:\(Deprecated since ([\d.]+)\) )?/.exec(help) ?? [];
  return { level, deprecatedSince };
}

export function mergeRuleOf({ merged, type }: FamilyHead): MergeRule {
  return merged ?? (type === 'gauge' ? 'own' : 'sum');
}
