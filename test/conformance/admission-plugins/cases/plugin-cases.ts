import { accessCases } from './access-cases.ts';
import { limitCases } from './limit-cases.ts';
import { namespaceCases } from './namespace-cases.ts';
import { nodeCases } from './node-cases.ts';
import type { PluginCase } from './plugin-case.ts';
import { podCases } from './pod-cases.ts';
import { ruleCases } from './rule-cases.ts';
import { schedulingCases } from './scheduling-cases.ts';
import { storageCases } from './storage-cases.ts';

/** One case for each plugin of kube-apiserver. */
export const pluginCases: readonly PluginCase[] = [
  ...namespaceCases,
  ...podCases,
  ...nodeCases,
  ...storageCases,
  ...schedulingCases,
  ...accessCases,
  ...limitCases,
  ...ruleCases,
];
