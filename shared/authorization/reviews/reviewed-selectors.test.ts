import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { readSelectors } from './reviewed-selectors.ts';

const faulty = 'spec.resourceAttributes.fieldSelector ignored due to parse error';
const partly = 'spec.resourceAttributes.fieldSelector partially ignored due to parse error';
const requirement = (values: string[], operator = 'In') => ({ key: 'spec.nodeName', operator, values });
const read = (...requirements: ReturnType<typeof requirement>[]) =>
  atOnce(readSelectors({ fieldSelector: { requirements } }));

// Faults as kube-apiserver v1.36.3 words them (test/conformance/series/node-rights.ts compares).
describe('field selector of an access review', () => {
  test('narrows the question by In and NotIn with one value', () => {
    assert.deepEqual(read(requirement(['n1']), requirement(['n2'], 'NotIn')), {
      fields: [
        { field: 'spec.nodeName', operator: '=', value: 'n1' },
        { field: 'spec.nodeName', operator: '!=', value: 'n2' },
      ],
      labels: undefined,
      faults: [],
    });
  });

  for (const [title, wrong] of [
    ['two values', requirement(['n1', 'n2'])],
    ['no value', requirement([])],
    ['an operator without values', requirement(['n1'], 'Exists')],
  ] as const) {
    test(`ignores a requirement with ${title}, and reports it`, () => {
      assert.deepEqual(read(wrong), { fields: undefined, labels: undefined, faults: [faulty] });
      assert.deepEqual(read(requirement(['n1']), wrong).faults, [partly]);
    });
  }
});
