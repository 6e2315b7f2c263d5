import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import { Histogram } from '#shared/observability/metrics/histogram.ts';
import { keepNativeBuckets } from '#shared/observability/metrics/native-buckets.ts';
import { collectFamilies } from './collected-family.ts';
import { internalForm, readInternalForm } from './internal-form.ts';
import { negotiateForm } from './negotiate-form.ts';
import { protobufForm } from './protobuf-form.ts';
import { sampleLines } from './testing/sample-lines.ts';
import { openMetricsForm } from './text-form.ts';

describe('negotiateForm', () => {
  test('follows the qualities, and answers in text where nothing is known', () => {
    const protobuf = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited';
    assert.equal(negotiateForm(undefined), 'text');
    assert.equal(negotiateForm('*/*'), 'text');
    assert.equal(negotiateForm('application/json'), 'text');
    assert.equal(negotiateForm(`${protobuf};q=0.7, text/plain;version=0.0.4;q=0.3`), 'protobuf');
    assert.equal(
      negotiateForm('application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.7'),
      'text',
    );
    assert.equal(negotiateForm('application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1'), 'openmetrics');
    assert.equal(negotiateForm('application/openmetrics-text;version=9'), 'text');
  });
});

describe('textForm', () => {
  test('sorts labels by name and samples by labels, and escapes values', () => {
    const counter = new Counter('a_total', '[ALPHA] help', ['verb', 'code']);
    counter.add('b', '2');
    counter.add('a"\n\\', '2');
    counter.add('z', '1');
    assert.deepEqual(sampleLines(counter), [
      'a_total{code="1",verb="z"} 1',
      'a_total{code="2",verb="a\\"\\n\\\\"} 1',
      'a_total{code="2",verb="b"} 1',
    ]);
  });
});

describe('openMetricsForm', () => {
  test('names counters without their suffix, and calls those of other names unknown', () => {
    const attempts = new Counter('attempts', 'help', []);
    const all = new Counter('all_total', 'help', []);
    assert.equal(
      Buffer.concat(atOnce(openMetricsForm(atOnce(collectFamilies([attempts, all]))))).toString(),
      '# HELP all help\n# TYPE all counter\nall_total 0\n# HELP attempts help\n# TYPE attempts unknown\nattempts 0\n# EOF\n',
    );
  });
});

describe('protobufForm', () => {
  test('writes a family behind its length', () => {
    const counter = new Counter('a', 'h', ['b']);
    counter.add('c');
    const value = '00000000'.concat('0000f03f');
    assert.equal(
      Buffer.concat(atOnce(protobufForm(atOnce(collectFamilies([counter]))))).toString('hex'),
      `1d0a0161120168180022130a060a01621201631a0909${value}`,
    );
  });
});

describe('internalForm', () => {
  test('is read with the same labels, values and native buckets', () => {
    keepNativeBuckets(true);
    const seconds = new Histogram('seconds', 'help', ['a'], [1]);
    for (const value of [0, 0.5, 1, 1.01, -7, 300]) seconds.observe(value, 'x');
    keepNativeBuckets(false);
    const { families } = atOnce(readInternalForm(Buffer.concat(atOnce(internalForm([seconds])))));
    const value = families[0]?.samples[0]?.value;
    assert.ok(typeof value === 'object');
    assert.deepEqual(
      [...(value.native?.positive ?? [])],
      [
        [-8, 1],
        [0, 1],
        [1, 1],
        [66, 1],
      ],
    );
    assert.deepEqual([...(value.native?.negative ?? [])], [[23, 1]]);
    assert.deepEqual([value.count, value.sum, value.native?.zeroCount], [6, 295.51, 1]);
    assert.deepEqual(Array.from(value.counts), [4]);
  });
});
