import { configuredSteps } from './configured-steps.ts';
import { nodeSteps } from './node-steps.ts';
import { objectSteps } from './object-steps.ts';
import { podSecuritySteps } from './pod-security-steps.ts';
import { podSteps } from './pod-steps.ts';
import { quotaSteps } from './quota-steps.ts';
import type { Step } from './step.ts';

/** Each plugin with what it lets through and what it refuses. Parts have namespaces of their own. */
export const scenario: readonly Step[] = [
  ...podSteps,
  ...quotaSteps,
  ...podSecuritySteps,
  ...objectSteps,
  ...nodeSteps,
  ...configuredSteps,
];
