import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';

const limit = { type: 'Container', max: { cpu: '4' }, min: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2' } };

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('', 'v1', 'limitranges', 'LimitRange', { spec: { limits: [limit] } }),
    limits: [
      [
        'spec.limits[0].maxLimitRequestRatio',
        { cpu: '2' },
        { cpu: '2001m' },
        'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "2001m": ratio 2001m is greater than max/min = 2.000000',
      ],
      // The int64 of 2^64 is zero.
      [
        'spec.limits[0].maxLimitRequestRatio',
        { cpu: '18446744073709551616' },
        { cpu: '18446744073709551619' },
        'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "18446744073709551619": ratio 18446744073709551619 is greater than max/min = 2.000000',
      ],
    ],
  },
];
