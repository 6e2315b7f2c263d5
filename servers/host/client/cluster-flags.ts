import type { StartClusterOptions } from './public-types.ts';

const known: Readonly<Record<keyof StartClusterOptions, true>> = {
  flags: true,
  controllers: true,
  processes: true,
  seed: true,
  now: true,
};

/**
 * Checks options that may come from code without types.
 * @throws Error that names the option, its value and what it may be
 */
export function checkOptions(options: StartClusterOptions): void {
  for (const name of Object.keys(options))
    if (!Object.hasOwn(known, name))
      throw new Error(`startCluster has no option ${JSON.stringify(name)}: it takes ${Object.keys(known).join(', ')}`);
  for (const name of ['flags', 'controllers'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && !(Array.isArray(value) && value.every((each) => typeof each === 'string')))
      throw new Error(`option ${name} is ${JSON.stringify(value)}: give a list of texts`);
  }
  const processes: unknown = options.processes ?? 'one';
  if (processes !== 'one' && processes !== 'separate')
    throw new Error(`option processes is ${JSON.stringify(processes)}: give 'one' or 'separate'`);
}

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
