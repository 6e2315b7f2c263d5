import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { metricFromV1, metricToV1 } from './metric-conversion.ts';

describe('metric conversion to autoscaling/v1', () => {
  test('writes fields in the order of the reference, with zero for required fields', () => {
    const metric = {
      type: 'Object',
      object: {
        describedObject: { kind: 'Service', name: 'web' },
        metric: { name: 'load', selector: { matchLabels: { a: 'b' } } },
        target: { type: 'AverageValue', averageValue: '3' },
      },
    };
    assert.equal(
      JSON.stringify(metricToV1(metric, 'target')),
      '{"type":"Object","object":{"target":{"kind":"Service","name":"web"},"metricName":"load","targetValue":"0","selector":{"matchLabels":{"a":"b"}},"averageValue":"3"}}',
    );
    assert.deepEqual(metricFromV1(metricToV1(metric, 'target'), 'target'), metric);
  });

  test('derives the type of an external target from the value that is set', () => {
    const external = { metricName: 'queue', targetValue: '4', targetAverageValue: '2' };
    assert.deepEqual(metricFromV1({ type: 'External', external }, 'target')['external'], {
      metric: { name: 'queue' },
      target: { type: 'Value', value: '4', averageValue: '2' },
    });
  });

  test('converts quantities to their canonical form', () => {
    assert.deepEqual(
      metricFromV1({ type: 'Pods', pods: { metricName: 'hits', currentAverageValue: '1000m' } }, 'current')['pods'],
      { metric: { name: 'hits' }, current: { averageValue: '1' } },
    );
  });
});
