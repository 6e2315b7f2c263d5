import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';

/** Where Debian's package `libfaketime` puts the library; FAKETIME_LIBRARY names another place. */
const faketimeLibraries = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/faketime/libfaketime.so.1',
];

/** Undefined where libfaketime is not installed. */
export const faketimeLibrary = [process.env['FAKETIME_LIBRARY'] ?? '', ...faketimeLibraries].find((path) =>
  existsSync(path),
);

/** What a row may need of the machine, and how to find out whether it is there. */
const checks = {
  root: () => process.geteuid?.() === 0,
  'mounts of its own': () => runs('unshare', '--mount', 'mount', '-t', 'tmpfs', 'quarterdeck', '/mnt'),
  'networks of its own': () => runs('unshare', '--net', 'ip', 'link', 'set', 'lo', 'up'),
  'host names of its own': () => runs('unshare', '--uts', 'hostname', 'quarterdeck'),
  'loop devices with vfat': () =>
    runs('mkfs.vfat', '--help') && readFileSync('/proc/filesystems', 'utf8').includes('vfat'),
  'memory groups': () => existsSync('/sys/fs/cgroup/memory/memory.limit_in_bytes') || existsSync(unifiedMemory),
  libfaketime: () => faketimeLibrary !== undefined,
  prlimit: () => runs('prlimit', '--version'),
  setpriv: () => runs('setpriv', '--version'),
  'a C compiler': () => runs('cc', '--version'),
  IPv6: () => Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1')),
};

export type Need = keyof typeof checks;

const unifiedMemory = '/sys/fs/cgroup/memory.max';
const known = new Map<Need, boolean>();

/** What of `needs` this machine has not. */
export function missing(needs: readonly Need[]): readonly Need[] {
  return needs.filter((need) => {
    if (!known.has(need)) known.set(need, checks[need]());
    return known.get(need) !== true;
  });
}

function runs(command: string, ...argv: readonly string[]): boolean {
  const { status, error } = spawnSync(command, argv, { stdio: 'ignore' });
  return error === undefined && (status === 0 || argv[0] === '--help');
}
