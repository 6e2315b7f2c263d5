import { holdWatches } from '#test/robustness/surroundings/many-watches.ts';
import type { Group, Surrounding } from '#test/robustness/surroundings/surrounding.ts';

const limited = (name: string, ...flags: readonly string[]): Surrounding => ({
  name,
  needs: ['prlimit'],
  wrapper: () => ['prlimit', ...flags, '--'],
  outcome: 'serves',
});

export const limits: Group = {
  name: 'limits',
  rows: [
    limited('with 1,024 descriptors, which it may raise', '--nofile=1024:'),
    limited('with 1,024 descriptors', '--nofile=1024:1024'),
    limited('with 256 descriptors', '--nofile=256:256'),
    {
      ...limited('with 256 descriptors and 400 watches', '--nofile=256:256'),
      meanwhile: (server) => holdWatches(server, 400),
      says: [/ulimit -n/],
    },
    {
      ...limited('with 1,024 descriptors and 1,200 watches', '--nofile=1024:1024'),
      meanwhile: (server) => holdWatches(server, 1200),
      says: [/ulimit -n/],
    },
    limited('with a stack of 8 MiB', '--stack=8388608:8388608'),
    limited('with a stack of 1 MiB', '--stack=1048576:1048576'),
    {
      ...limited('with files of at most 64 KiB', '--fsize=65536:65536'),
      outcome: 'ends',
      says: [/ulimit -f/],
    },
    limited('without core files', '--core=0:0'),
    limited('without locked memory', '--memlock=0:0'),
  ],
};
