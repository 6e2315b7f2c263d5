import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('coordination.k8s.io', 'v1', 'leases', 'Lease', { spec: { holderIdentity: 'a' } }),
    limits: [
      ['spec.leaseDurationSeconds', 1, 0, 'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
      ['spec.leaseTransitions', 0, -1, 'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0'],
    ],
  },
];
