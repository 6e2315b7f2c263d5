import type { Buffer } from 'node:buffer';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type {
  FamilyHead,
  HistogramValue,
  Labels,
  NativeBuckets,
  Sample,
} from '#shared/observability/metrics/family.ts';
import { zeroThreshold } from '#shared/observability/metrics/native-buckets.ts';
import { quantileOf, summaryQuantiles } from '#shared/observability/metrics/summary.ts';
import type { CollectedFamily } from './collected-family.ts';
import { MessageWriter, zigzag } from './message-writer.ts';

export const metricFamilyType =
  'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited; escaping=underscores';

/** Numbers of io.prometheus.client.MetricType, and of the field of a metric that has the value. */
const types = {
  counter: { number: 0, field: 3 },
  gauge: { number: 1, field: 2 },
  summary: { number: 2, field: 4 },
  histogram: { number: 4, field: 7 },
};
/** Empty buckets between two buckets that are written rather than a new span. */
const smallGap = 2;

/** Messages io.prometheus.client.MetricFamily, each behind its length (prometheus/client_model). */
export function* protobufForm(families: readonly CollectedFamily[]): Steps<readonly Buffer[]> {
  const all: Buffer[] = [];
  for (const { head, samples, labels } of families) {
    const family = new MessageWriter().text(1, head.name).text(2, head.help).uint(3, types[head.type].number);
    const names = labels.order.map((at) => ({ at, name: head.labelNames[at] ?? '' }));
    for (const sample of samples) {
      family.message(4, metricMessage(head, names, sample));
      if (sliceIsOver()) yield;
    }
    all.push(new MessageWriter().raw(family.bytes()).bytes());
  }
  return all;
}

interface LabelPlace {
  readonly at: number;
  readonly name: string;
}

function metricMessage(head: FamilyHead, names: readonly LabelPlace[], { labels, value }: Sample): Buffer {
  const metric = new MessageWriter();
  for (const place of names) metric.message(1, labelPair(place, labels));
  const { field } = types[head.type];
  if (typeof value === 'number') metric.message(field, new MessageWriter().double(1, value).bytes());
  else if (head.type === 'summary') metric.message(field, summaryMessage(value));
  else metric.message(field, histogramMessage(head.buckets ?? [], value));
  return metric.bytes();
}

function labelPair({ at, name }: LabelPlace, labels: Labels): Buffer {
  return new MessageWriter()
    .text(1, name)
    .text(2, labels[at] ?? '')
    .bytes();
}

function summaryMessage({ sum, count, native }: HistogramValue): Buffer {
  const summary = new MessageWriter().uint(1, count).double(2, sum);
  for (const quantile of summaryQuantiles) {
    const value = native === undefined ? Number.NaN : quantileOf(native, quantile);
    summary.message(3, new MessageWriter().double(1, quantile).double(2, value).bytes());
  }
  return summary.bytes();
}

function histogramMessage(bounds: readonly number[], { counts, sum, count, native }: HistogramValue): Buffer {
  const histogram = new MessageWriter().uint(1, count).double(2, sum);
  let below = 0;
  for (const [at, bound] of bounds.entries()) {
    below += counts[at] ?? 0;
    histogram.message(3, new MessageWriter().uint(1, below).double(2, bound).bytes());
  }
  if (native !== undefined) writeNative(histogram, native);
  return histogram.bytes();
}

function writeNative(histogram: MessageWriter, { schema, zeroCount, positive, negative }: NativeBuckets): void {
  histogram.sint(5, schema).double(6, zeroThreshold).uint(7, zeroCount);
  writeSpans(histogram, 9, negative);
  writeSpans(histogram, 12, positive);
}

/** Spans of adjacent buckets, and behind them what each count differs from the one before. */
function writeSpans(histogram: MessageWriter, field: number, buckets: ReadonlyMap<number, number>): void {
  const spans: { offset: number; length: number }[] = [];
  const deltas = new MessageWriter();
  let [next, before] = [0, 0];
  const put = (count: number): void => {
    (spans.at(-1) as { length: number }).length++;
    deltas.varint(zigzag(count - before));
    before = count;
  };
  for (const [index, count] of [...buckets].sort(([a], [b]) => a - b)) {
    const gap = index - next;
    if (spans.length === 0 || gap > smallGap) spans.push({ offset: gap, length: 0 });
    else for (let empty = 0; empty < gap; empty++) put(0);
    put(count);
    next = index + 1;
  }
  for (const { offset, length } of spans)
    histogram.message(field, new MessageWriter().sint(1, offset).uint(2, length).bytes());
  // The numbers, packed.
  if (deltas.length > 0) histogram.message(field + 1, deltas.bytes());
}
