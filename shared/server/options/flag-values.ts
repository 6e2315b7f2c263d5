import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import { flagName, type Flag } from './flag-set.ts';
import { serverFlags, type ServerOptions } from './server-options.ts';

/** Values of all flags as pflag would print them, by name and sorted. */
export function flagValues(options: ServerOptions): Record<string, string> {
  const pairs = (Object.entries(serverFlags) as [keyof ServerOptions, Flag<unknown>][])
    .filter(([, { hidden }]) => hidden !== true)
    .map(([key, { kind }]): [string, string] => [flagName(key), printed(options[key], kind.typeName)]);
  return Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function printed(value: unknown, type: string): string {
  if (typeof value === 'number' && type === 'duration') return formatDuration(BigInt(value) * 1_000_000n);
  if (Array.isArray(value)) return `[${value.join(',')}]`;
  if (type === 'portRange') return Object.values(value as Record<string, number>).join('-');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, inner]) => `${key}=${String(inner)}`)
      .join(',');
  return String(value ?? '');
}
