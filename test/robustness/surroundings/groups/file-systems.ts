import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { KubeconfigClient } from '#test/robustness/surroundings/kubeconfig-client.ts';
import { behindMounts, type Group, type Place } from '#test/robustness/surroundings/surrounding.ts';

/** Longer than the path of a Unix socket may be. */
const longName = 'long-'.repeat(24);

/** For clients of a server that has mounts of its own. */
const inItsMounts = (_: Place, pid: number): readonly string[] => ['nsenter', `--mount=/proc/${pid}/ns/mnt`, '--'];

export const fileSystems: Group = {
  name: 'file systems',
  rows: [
    {
      name: 'whose data directory has a path longer than that of a socket',
      dataDir: ({ folder }) => join(folder, longName),
      outcome: 'serves',
    },
    {
      name: 'whose data directory has a space and letters beyond ASCII in its name',
      dataDir: ({ folder }) => join(folder, 'my data é 日本'),
      outcome: 'serves',
    },
    {
      name: 'whose data directory is a symbolic link',
      prepare: ({ folder, dataDir }) => symlinkSync(join(folder), dataDir),
      outcome: 'serves',
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
    {
      name: 'on a file system that executes nothing',
      needs: ['mounts of its own'],
      wrapper: ({ folder }) => behindMounts(`mount -t tmpfs -o noexec,nosuid,nodev,mode=0700 quarterdeck ${folder}`),
      clientWrapper: inItsMounts,
      outcome: 'serves',
    },
  ],
};
