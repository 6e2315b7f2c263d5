import type { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { mergeRuleOf, type Family, type FamilyHead, type Sample } from '#shared/observability/metrics/family.ts';
import { ChunkedText } from './chunked-text.ts';

/** How a gateway asks its backends for their families. */
export const internalType = 'application/x-ndjson;profile=metric-families';

/** The families of one process that a gateway merges with its own. */
export interface ProcessFamilies {
  /** Differs for each start of a process. */
  readonly processId: string;
  readonly families: readonly ReadFamily[];
}

export interface ReadFamily {
  readonly head: FamilyHead;
  readonly samples: readonly Sample[];
}

const processId = randomUUID();
/** Samples of a line: little enough to parse at once. */
const samplesPerLine = 200;

/** Lines of JSON: the process, then families with some of their samples. */
export function* internalForm(families: readonly Family[]): Steps<readonly Buffer[]> {
  const text = new ChunkedText();
  text.add(`${JSON.stringify(processId)}\n`);
  for (const family of families) {
    if (mergeRuleOf(family) === 'own') continue;
    const { head, samples } = readFamily(family);
    for (let at = 0; at < samples.length; at += samplesPerLine) {
      const some = samples.slice(at, at + samplesPerLine);
      const plain = some.map(({ labels, value }) => ({ labels, value: plainValue(value) }));
      text.add(`${JSON.stringify({ head, samples: plain })}\n`);
      if (sliceIsOver()) yield;
    }
  }
  return text.chunks();
}

/** @throws SyntaxError if the bytes are no such lines */
export function* readInternalForm(bytes: Buffer): Steps<ProcessFamilies> {
  const end = bytes.indexOf('\n');
  const id = JSON.parse(bytes.toString('utf8', 0, end)) as string;
  const families: ReadFamily[] = [];
  for (let from = end + 1; from < bytes.length;) {
    const to = bytes.indexOf('\n', from);
    const { head, samples } = JSON.parse(bytes.toString('utf8', from, to)) as ReadFamily;
    families.push({ head, samples: samples.map(readSample) });
    from = to + 1;
    if (sliceIsOver()) yield;
  }
  return { processId: id, families };
}

export function readFamily(family: Family): ReadFamily {
  const { name, type, help, labelNames, buckets, merged } = family;
  return { head: { name, type, help, labelNames, buckets, merged }, samples: [...family.samples()] };
}

type PlainBuckets = Record<'positive' | 'negative', [number, number][]> & { schema: number; zeroCount: number };

function plainValue(value: Sample['value']): unknown {
  if (typeof value === 'number') return value;
  const { counts, sum, count, native } = value;
  const plain = { counts: Array.from(counts), sum, count };
  if (native === undefined) return plain;
  const { schema, zeroCount, positive, negative } = native;
  return { ...plain, native: { schema, zeroCount, positive: [...positive], negative: [...negative] } };
}

function readSample(sample: Sample): Sample {
  const { labels, value } = sample;
  if (typeof value === 'number' || value.native === undefined) return sample;
  const { schema, zeroCount, positive, negative } = value.native as unknown as PlainBuckets;
  const native = { schema, zeroCount, positive: new Map(positive), negative: new Map(negative) };
  return { labels, value: { ...value, native } };
}
