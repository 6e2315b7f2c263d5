import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { behind, type Group, type Place, type Surrounding } from '#test/robustness/surroundings/surrounding.ts';

const [unified, older] = ['/sys/fs/cgroup', '/sys/fs/cgroup/memory'];
const isOlder = existsSync(join(older, 'memory.limit_in_bytes'));
const groupOf = ({ folder }: Place): string => join(isOlder ? older : unified, basename(folder));

/** In a control group of its own, which the kernel ends processes of when it needs more memory. */
const inMemory = (mebibytes: number): Surrounding => ({
  name: `with ${mebibytes} MiB of memory`,
  needs: ['root', 'memory groups'],
  prepare: (place) => {
    mkdirSync(groupOf(place));
    const file = isOlder ? 'memory.limit_in_bytes' : 'memory.max';
    writeFileSync(join(groupOf(place), file), String(mebibytes * 1024 * 1024));
    return () => rmdirSync(groupOf(place));
  },
  wrapper: (place) => behind(`echo $$ > ${groupOf(place)}/cgroup.procs`),
  outcome: 'serves',
});

export const memory: Group = {
  name: 'memory',
  rows: [
    inMemory(512),
    { ...inMemory(112), outcome: 'ends', says: [/the memory was used up: give the servers more/] },
    {
      name: 'with heaps of 192 MiB',
      environment: () => ({ NODE_OPTIONS: '--max-old-space-size=192' }),
      outcome: 'serves',
    },
    {
      name: 'with malloc that fills freed memory',
      environment: () => ({ MALLOC_PERTURB_: '165' }),
      outcome: 'serves',
    },
  ],
};
