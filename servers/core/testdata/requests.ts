import { classRequests } from './class-requests.ts';
import { defaultRequests } from './default-requests.ts';
import { policyRequests } from './policy-requests.ts';
import type { RecordedRequest } from './recorded-request.ts';
import { workloadRequests } from './workload-requests.ts';

/** Defaults and errors of the kinds whose outcome no admission plugin touches, in the order of `recorded.json`. */
export const requests: readonly RecordedRequest[] = [
  ...workloadRequests,
  ...policyRequests,
  ...classRequests,
  ...defaultRequests,
];
