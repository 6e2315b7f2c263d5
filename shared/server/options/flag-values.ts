import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import { advertisedAddress } from './advertised-address.ts';
import { flagName, type Flag } from './flag-set.ts';
import { serverFlags, type ServerOptions } from './server-options.ts';
import { withDefaultCacheSizes } from './watch-cache-sizes.ts';

/** Values of all flags as pflag prints them, by name and sorted; those that `--help` hides, too. */
export function flagValues(options: ServerOptions): Record<string, string> {
  const pairs = (Object.entries(serverFlags) as [keyof ServerOptions, Flag<unknown>][]).map(
    ([key, { kind }]): [string, string] => [flagName(key), printed(options[key], kind)],
  );
  return Object.fromEntries([...pairs, ['help', 'false'] as const].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The values with which the server runs: those that were left to it are filled in (cmd/kube-apiserver, Complete). */
export function completedFlagValues(options: ServerOptions): Record<string, string> {
  const advertiseAddress = advertisedAddress(options) ?? options.advertiseAddress;
  return flagValues({
    ...options,
    advertiseAddress,
    externalHostname: options.externalHostname || advertiseAddress,
    watchCacheSizes: options.watchCache ? withDefaultCacheSizes(options.watchCacheSizes) : options.watchCacheSizes,
  });
}

function printed(value: unknown, kind: Flag<unknown>['kind']): string {
  switch (kind.typeName) {
    case 'duration':
      return formatDuration(BigInt(Math.round((value as number) * 1_000_000)));
    case 'strings':
    case 'stringArray':
      return list((value ?? []) as readonly string[]);
    case 'stringToString':
      return list(pairsOf(value));
    case 'mapStringString':
      return pairsOf(value).join();
    case 'colonSeparatedMultimapStringString':
      return pairsOf(value)
        .map((pair) => `:${pair}`)
        .join();
    case 'pattern=N,...':
      return kind.format(value);
    case 'portRange':
      return Object.values(value as Readonly<Record<string, number>>).join('-');
    default:
      return Array.isArray(value) ? list(value.map(String)) : String(value ?? '');
  }
}

function pairsOf(value: unknown): string[] {
  return Object.entries(value as Readonly<Record<string, string>>).map(([key, text]) => `${key}=${text}`);
}

/** As a line of CSV (RFC 4180), in brackets. */
function list(items: readonly string[]): string {
  return `[${items.map((item) => (/[",\n\r]|^\s/.test(item) ? `"${item.replaceAll('"', '""')}"` : item)).join()}]`;
}
