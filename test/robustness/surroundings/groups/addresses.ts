import type { Group } from '#test/robustness/surroundings/surrounding.ts';

export const addresses: Group = {
  name: 'addresses',
  rows: [
    {
      name: 'on IPv6 alone',
      needs: ['IPv6'],
      flags: () => ['--bind-address', '::1', '--service-cluster-ip-range', 'fd00:10::/112'],
      outcome: 'serves',
    },
    {
      name: 'on an address of another machine',
      flags: () => ['--bind-address', '192.0.2.1'],
      outcome: 'ends',
      says: [/192\.0\.2\.1/],
    },
  ],
};
