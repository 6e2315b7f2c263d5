import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest, selector } from '#servers/core/testdata/recorded-request.ts';

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', { spec: { selector } }),
    limits: [
      ['spec.minAvailable', 0, -1, 'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0'],
      ['spec.minAvailable', '100%', '101%', 'spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
      [
        'spec.minAvailable',
        '0%',
        '1',
        `spec.minAvailable: Invalid value: "1": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
      ],
      ['spec.maxUnavailable', 0, -1, 'spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0'],
      [
        'spec.maxUnavailable',
        '100%',
        '101%',
        'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
      ],
      [
        'spec',
        { selector, minAvailable: 1 },
        { selector, minAvailable: 1, maxUnavailable: 1 },
        'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"app":"a"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      ],
      [
        'spec.unhealthyPodEvictionPolicy',
        'AlwaysAllow',
        'Never',
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
      [
        'spec.selector',
        { matchLabels: { a: 'b'.repeat(63) } },
        { matchLabels: { a: 'b'.repeat(64) } },
        'spec.selector.matchLabels: Invalid value: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": must be no more than 63 bytes',
      ],
    ],
    updates: [
      ['spec.minAvailable', '100%', '101%', 'spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
    ],
    generations: [
      ['metadata.annotations', { a: 'b' }, 1],
      ['spec.minAvailable', 1, 2],
    ],
  },
];
