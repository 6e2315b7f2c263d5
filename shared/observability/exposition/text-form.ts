import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goFloat } from '#shared/apimachinery/text/go-format.ts';
import type { FamilyHead, HistogramValue } from '#shared/observability/metrics/family.ts';
import { quantileOf, summaryQuantiles } from '#shared/observability/metrics/summary.ts';
import { ChunkedText } from './chunked-text.ts';
import type { CollectedFamily } from './collected-family.ts';

export const textType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';
export const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores';

/** Prometheus' text form (exposition format 0.0.4). */
export function* textForm(families: readonly CollectedFamily[]): Steps<readonly Buffer[]> {
  const text = new ChunkedText();
  for (const family of families) {
    const { name, type, help } = family.head;
    text.add(headLines(name, type, help.replace(/[\\\n]/g, escapedChar)));
    for (const lines of samplesOf(family)) {
      text.add(lines);
      if (sliceIsOver()) yield;
    }
  }
  return text.chunks();
}

/**
 * The text form of OpenMetrics 1.0. Names and values of labels are those of {@link textForm}, so that nothing depends
 * on the form that a scraper asks for: a counter whose name does not end in `_total`, as OpenMetrics has it, is of
 * unknown type, and bounds of buckets stay `1` in place of `1.0`.
 */
export function* openMetricsForm(families: readonly CollectedFamily[]): Steps<readonly Buffer[]> {
  const text = new ChunkedText();
  for (const family of families) {
    const { name, type } = openMetricsHead(family.head);
    text.add(headLines(name, type, family.head.help.replace(/[\\\n"]/g, escapedChar)));
    for (const lines of samplesOf(family)) {
      text.add(lines);
      if (sliceIsOver()) yield;
    }
  }
  text.add('# EOF\n');
  return text.chunks();
}

function headLines(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function escapedChar(char: string): string {
  return char === '\n' ? '\\n' : `\\${char}`;
}

function openMetricsHead({ name, type }: FamilyHead): { name: string; type: string } {
  if (type !== 'counter') return { name, type };
  return name.endsWith('_total') ? { name: name.slice(0, -'_total'.length), type } : { name, type: 'unknown' };
}

function* samplesOf({ head: { name, type, buckets = [] }, samples, labels }: CollectedFamily): Iterable<string> {
  const bounds = [...buckets.map(goFloat), '+Inf'].map((bound) => `le="${bound}"} `);
  for (const sample of samples) {
    const text = labels.print(sample.labels);
    const { value } = sample;
    if (typeof value === 'number') yield `${name}${text === '' ? '' : `{${text}}`} ${goFloat(value)}\n`;
    else yield type === 'summary' ? summaryLines(name, text, value) : histogramLines(name, text, value, bounds);
  }
}

function summaryLines(name: string, labels: string, { sum, count, native }: HistogramValue): string {
  const begin = `${name}{${labels}${labels === '' ? '' : ','}`;
  const set = labels === '' ? '' : `{${labels}}`;
  const quantiles = summaryQuantiles.map((quantile) => {
    const value = native === undefined ? Number.NaN : quantileOf(native, quantile);
    return `${begin}quantile="${quantile}"} ${goFloat(value)}\n`;
  });
  return `${quantiles.join('')}${name}_sum${set} ${goFloat(sum)}\n${name}_count${set} ${goFloat(count)}\n`;
}

function histogramLines(
  name: string,
  labels: string,
  { counts, sum, count }: HistogramValue,
  bounds: readonly string[],
): string {
  const bucket = `${name}_bucket{${labels}${labels === '' ? '' : ','}`;
  const last = bounds.length - 1;
  let text = '';
  let below = 0;
  for (let at = 0; at < last; at++) {
    below += counts[at] ?? 0;
    text += `${bucket}${bounds[at]}${goFloat(below)}\n`;
  }
  const set = labels === '' ? '' : `{${labels}}`;
  return `${text}${bucket}${bounds[last]}${goFloat(count)}\n${name}_sum${set} ${goFloat(sum)}\n${name}_count${set} ${goFloat(count)}\n`;
}
