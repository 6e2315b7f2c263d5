import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { KubeconfigClient } from '#test/robustness/surroundings/kubeconfig-client.ts';
import { refuse } from '#test/robustness/surroundings/refused-calls.ts';
import { behindMounts, type Group, type Place, type Surrounding } from '#test/robustness/surroundings/surrounding.ts';

const makeFat = 'mkfs.vfat';
/** Longer than the path of a Unix socket may be. */
const longName = 'long-'.repeat(24);
const inLongFolder = ({ folder }: Place): string => join(folder, longName);

/** For clients of a server that has mounts of its own. */
const inItsMounts = (_: Place, pid: number): readonly string[] => ['nsenter', `--mount=/proc/${pid}/ns/mnt`, '--'];

/** On a small file system of its own, mounted over the place's folder. */
const mounted = (name: string, mount: (place: Place) => string): Surrounding => ({
  name,
  needs: ['mounts of its own'],
  wrapper: (place) => behindMounts(mount(place)),
  clientWrapper: inItsMounts,
  outcome: 'serves',
});

/** On FAT, which knows neither sockets nor links nor modes, mounted with these options. */
const onFat = (name: string, options: string): Surrounding => ({
  ...mounted(`on a FAT file system ${name}`, ({ folder }) => `mount -o loop,${options} ${folder}/image ${folder}`),
  needs: ['mounts of its own', 'loop devices with vfat'],
  prepare: ({ folder }) => {
    const image = join(folder, 'image');
    writeFileSync(image, '');
    truncateSync(image, 256 * 1024 * 1024);
    execFileSync(makeFat, [image], { stdio: 'pipe' });
  },
});

const refusing = (name: string, kind: Parameters<typeof refuse>[1]): Surrounding => ({
  name,
  needs: ['a C compiler'],
  environment: ({ folder }) => ({ LD_PRELOAD: refuse(folder, kind) }),
  outcome: 'serves',
});

export const fileSystems: Group = {
  name: 'file systems',
  rows: [
    { name: 'whose data directory has a path longer than that of a socket', dataDir: inLongFolder, outcome: 'serves' },
    {
      name: 'whose data directory has a long path, with TMPDIR that is missing',
      dataDir: inLongFolder,
      environment: () => ({ TMPDIR: '/nonexistent' }),
      outcome: 'serves',
    },
    {
      name: 'whose data directory has a long path, with TMPDIR that is long, too',
      dataDir: inLongFolder,
      prepare: ({ folder }) => mkdirSync(join(folder, `other-${longName}`)),
      environment: ({ folder }) => ({ TMPDIR: join(folder, `other-${longName}`) }),
      outcome: 'serves',
    },
    {
      name: 'whose data directory has a long path, where no temporary folder can be written',
      needs: ['mounts of its own'],
      dataDir: () => join('/mnt', longName),
      wrapper: () =>
        behindMounts(
          // Bound to themselves, as this project may lie below one of them.
          ['/tmp', '/var/tmp', '/dev/shm']
            .map((path) => `mount --bind ${path} ${path}\nmount -o remount,bind,ro ${path}`)
            .join('\n') + '\nmount -t tmpfs quarterdeck /mnt',
        ),
      workingDirectory: () => '/',
      outcome: 'ends',
      says: [/too long for Unix sockets: name another --data-dir, or set TMPDIR/],
    },
    {
      name: 'whose data directory has a space and letters beyond ASCII in its name',
      dataDir: ({ folder }) => join(folder, 'my data é 日本'),
      outcome: 'serves',
    },
    {
      name: 'whose data directory is a symbolic link',
      prepare: ({ folder, dataDir }) => {
        mkdirSync(join(folder, 'target'), { mode: 0o700 });
        symlinkSync('target', dataDir);
      },
      outcome: 'serves',
    },
    refusing('on a file system without Unix sockets', 'sockets'),
    {
      ...refusing('on a file system without locks', 'locks'),
      outcome: 'ends',
      says: [/file system .*without locks/, /name another/],
    },
    onFat('of its own user alone', 'umask=0077'),
    onFat('as it is usually mounted', 'umask=0022'),
    mounted('in a disk of 64 MiB', ({ folder }) => `mount -t tmpfs -o size=64m,mode=0700 quarterdeck ${folder}`),
    {
      ...mounted('on a disk that is full', ({ folder }) =>
        [
          `mount -t tmpfs -o size=64k,mode=0700 quarterdeck ${folder}`,
          `head -c 1m /dev/zero > ${folder}/full 2>/dev/null || true`,
        ].join('\n'),
      ),
      outcome: 'ends',
      says: [/disk is full: make room on it/],
    },
    {
      ...mounted(
        'on a disk that is nearly full, until there is room',
        ({ folder }) => `mount -t tmpfs -o size=200k,mode=0700 quarterdeck ${folder}`,
      ),
      meanwhile: async ({ place, launcher }) => {
        const [command = '', ...argv] = [
          ...inItsMounts(place, launcher.pid ?? 0),
          ...`mount -o remount,size=64m ${place.folder}`.split(' '),
        ];
        execFileSync(command, argv, { stdio: 'pipe' });
      },
      outcome: 'waits',
      says: [/disk of .* is full: .*What to do: make room on it/],
    },
    ...(['/tmp', '/etc', '/', '/proc/quarterdeck', '/dev/null'] as const).map((folder): Surrounding => ({
      name: `whose data directory is ${folder}`,
      needs: ['root'],
      dataDir: () => folder,
      outcome: 'ends',
      says: [new RegExp(`${folder}\\S* .+: .*name `)],
    })),
    {
      name: 'whose data directory is from a variable that is not set',
      dataDir: () => '',
      outcome: 'ends',
      says: [/--data-dir "" names no folder/],
    },
    {
      name: 'without /dev/shm',
      needs: ['mounts of its own'],
      wrapper: () => behindMounts('mount -t tmpfs -o ro,mode=0 quarterdeck /dev/shm'),
      outcome: 'serves',
    },
    {
      name: 'without /proc',
      needs: ['mounts of its own'],
      wrapper: () => behindMounts('mount -t tmpfs -o ro quarterdeck /proc'),
      meanwhile: async ({ kubeconfig }) => {
        // The processes look at their memory every ten seconds.
        await pause(12_000);
        const { status, text } = await new KubeconfigClient(kubeconfig).send('GET', '/metrics');
        assert.equal(status, 200, text);
      },
      outcome: 'serves',
    },
    mounted(
      'on a file system that executes nothing',
      ({ folder }) => `mount -t tmpfs -o noexec,nosuid,nodev,mode=0700 quarterdeck ${folder}`,
    ),
    {
      ...mounted(
        'on a file system that is mounted read-only',
        ({ folder }) => `mount -t tmpfs -o ro,mode=0700 quarterdeck ${folder}`,
      ),
      outcome: 'ends',
      says: [/mounted read-only: mount it for writing/],
    },
  ],
};
