import { spawnSync } from 'node:child_process';

/**
 * An address that Endpoints may hold, unlike a loopback address (RFC 5737: for documentation). In the network of
 * {@link inOwnNetwork} it is one of the machine.
 */
export const ownAddress = '192.0.2.10';

/**
 * Runs a script of this project again, in a network with a loopback interface and {@link ownAddress} alone. Resolves to
 * its exit code, or to undefined when no such network may be made here.
 */
export function inOwnNetwork(file: string, argv: readonly string[]): number | undefined {
  const [unshare, ...share] = process.getuid?.() === 0 ? (['unshare', '-n'] as const) : (['unshare', '-rn'] as const);
  if (spawnSync(unshare, [...share, 'ip', 'link', 'set', 'lo', 'up']).status !== 0) return undefined;
  const script = `ip link set lo up && ip addr add ${ownAddress}/32 dev lo && exec "$@"`;
  const again = [process.execPath, '--import', 'tsx', file, ...argv];
  return spawnSync(unshare, [...share, 'sh', '-c', script, 'sh', ...again], { stdio: 'inherit' }).status ?? 1;
}
