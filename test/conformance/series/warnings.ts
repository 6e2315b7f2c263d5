import { coreWarningSeries } from './core-warnings.ts';
import { networkWarningSeries } from './network-warnings.ts';
import { otherWarningSeries } from './other-warnings.ts';
import { podAnnotationSeries } from './pod-annotations.ts';
import { podWarningSeries } from './pod-warnings.ts';
import type { Series } from './series.ts';
import { tlsSecretSeries } from './tls-secrets.ts';

/** Everything that the built-in types warn of, and what they do not. */
export const warningSeries: readonly Series[] = [
  ...podWarningSeries,
  ...podAnnotationSeries,
  ...networkWarningSeries,
  ...coreWarningSeries,
  ...otherWarningSeries,
  ...tlsSecretSeries,
];
