import type { StartClusterOptions } from './public-types.ts';

/**
 * The flags of a cluster. Without controllers nobody makes the service accounts that the admission plugin asks for, so
 * that it is off, as in envtest.
 */
export function flagsOfCluster({ flags = [], controllers }: StartClusterOptions): readonly string[] {
  const isNamed = flags.some((flag) => /^--?controllers(?:=|$)/.test(flag));
  if (controllers === undefined) return isNamed ? flags : [...flags, '--controllers=*'];
  if (isNamed)
    throw new Error('controllers are named twice: leave out --controllers of `flags`, or `controllers` beside it');
  if (controllers.length > 0) return [...flags, `--controllers=${controllers.join(',')}`];
  const hasAccounts = flags.some((flag) => /^--?(?:enable|disable)-admission-plugins=.*\bServiceAccount\b/.test(flag));
  return hasAccounts ? flags : [...flags, '--disable-admission-plugins=ServiceAccount'];
}
