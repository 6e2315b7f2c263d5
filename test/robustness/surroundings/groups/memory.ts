import type { Group } from '#test/robustness/surroundings/surrounding.ts';

export const memory: Group = {
  name: 'memory',
  rows: [
    {
      name: 'with small heaps',
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
