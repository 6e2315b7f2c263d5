import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import type { Family, Labels } from './family.ts';

/** Values of a gauge by labels. */
export type GaugeValues = Iterable<readonly [Labels, number]>;

/**
 * What a reset does to a gauge with labels. In the reference its series are gone until they are set again. `changes`:
 * that is when the value is another one. A number: after so many milliseconds at the latest, as it is set that often.
 * `never`: nothing, for what is looked up when metrics are shown, and for what goes on at the moment, which would be
 * counted from zero on there.
 */
export type GaugeReset = 'changes' | 'never' | number;

/**
 * A gauge whose values are kept elsewhere; they are read when they are shown.
 * @param reset default: `changes`
 */
export function gaugeFamily(
  head: Pick<Family, 'name' | 'help' | 'labelNames' | 'merged'>,
  read: () => GaugeValues,
  reset: GaugeReset = 'changes',
): Family {
  const isKept = reset === 'never' || head.labelNames.length === 0;
  const hidden = isKept ? undefined : new HiddenSeries(reset === 'changes' ? Infinity : reset);
  return {
    ...head,
    type: 'gauge',
    *samples() {
      for (const [labels, value] of read()) if (hidden?.hides(labels, value) !== true) yield { labels, value };
    },
    ...(hidden !== undefined && { reset: () => hidden.hide(read()) }),
  };
}

/** Series that are not shown, with the values that they had. */
class HiddenSeries {
  readonly #forMs: number;
  #values: Map<string, number> | undefined;
  #untilMs = 0;

  constructor(forMs: number) {
    this.#forMs = forMs;
  }

  hide(series: GaugeValues): void {
    this.#values = new Map();
    for (const [labels, value] of series) this.#values.set(joinedKey(labels), value);
    this.#untilMs = performance.now() + this.#forMs;
  }

  hides(labels: Labels, value: number): boolean {
    if (this.#values === undefined) return false;
    if (performance.now() >= this.#untilMs) this.#values = undefined;
    const key = joinedKey(labels);
    if (this.#values?.get(key) === value) return true;
    this.#values?.delete(key);
    return false;
  }
}
