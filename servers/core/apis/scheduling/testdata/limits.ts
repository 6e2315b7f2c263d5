import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass', { value: 1 }, false),
    limits: [
      [
        'value',
        1_000_000_000,
        1_000_000_001,
        'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
      ],
      [
        'value',
        -2_147_483_648,
        2_000_000_000,
        'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
      ],
      [
        'preemptionPolicy',
        'Never',
        'Other',
        'preemptionPolicy: Unsupported value: "Other": supported values: "PreemptLowerPriority", "Never"',
      ],
      ['preemptionPolicy', 'PreemptLowerPriority', '', 'preemptionPolicy: Required value'],
      [
        'metadata.name',
        'recorded',
        'system-a',
        "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-a is not a known system priority class",
      ],
    ],
    updates: [
      ['value', 1, 2, 'value: Forbidden: may not be changed in an update.'],
      [
        'preemptionPolicy',
        'PreemptLowerPriority',
        'Never',
        'preemptionPolicy: Invalid value: "Never": field is immutable',
      ],
    ],
  },
];
