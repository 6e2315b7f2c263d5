import type { StartClusterOptions } from './public-types.ts';

/** The command line of a host whose clusters are repeatable; undefined if the options do not ask for it. */
export function repeatableArgv({ seed, now, processes }: StartClusterOptions): readonly string[] | undefined {
  if (seed === undefined && now === undefined) return undefined;
  if (processes === 'separate')
    throw new Error('seed and now are not there in separate processes: leave out `processes`, or `seed` and `now`');
  const time = now === undefined ? undefined : new Date(now);
  if (Number.isNaN(time?.getTime() ?? 0))
    throw new Error(`now: ${String(now)} is no time: give a Date, or a text such as "2026-01-31T12:00:00Z"`);
  return [
    ...(seed === undefined ? [] : [`--seed=${seed}`]),
    ...(time === undefined ? [] : [`--now=${time.toISOString()}`]),
  ];
}
