import { behind, type Group, type Place, type Surrounding } from '#test/robustness/surroundings/surrounding.ts';

/** For clients of a server that has a network of its own. */
const inItsNetwork = (_: Place, pid: number): readonly string[] => ['nsenter', `--net=/proc/${pid}/ns/net`, '--'];

const named = (hostname: string): Surrounding => ({
  name: `on a machine with the name ${hostname}`,
  needs: ['root', 'host names of its own'],
  wrapper: () => ['unshare', '--uts', ...behind(`hostname ${hostname}`)],
  outcome: 'serves',
});

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
      name: 'on all addresses of a machine without IPv4',
      needs: ['root', 'networks of its own'],
      wrapper: () => ['unshare', '--net', ...behind('ip link set lo up; ip address del 127.0.0.1/8 dev lo')],
      clientWrapper: inItsNetwork,
      flags: () => ['--bind-address', '::'],
      outcome: 'serves',
    },
    {
      name: 'on an address of the machine, with a range of Services that begins in its middle',
      flags: () => ['--bind-address', '127.0.0.2', '--service-cluster-ip-range', '10.5.0.7/16'],
      outcome: 'serves',
    },
    {
      name: 'with two ranges of Services of one family',
      flags: () => ['--service-cluster-ip-range', '10.5.0.0/16,10.6.0.0/16'],
      outcome: 'ends',
      says: [/must be of different IP family/],
    },
    {
      name: 'with an etcd whose address has no port',
      flags: () => ['--etcd-servers', 'http://127.0.0.1'],
      outcome: 'ends',
      says: [/--etcd-servers "http:\/\/127\.0\.0\.1" is no address of an etcd: give scheme:\/\/host:port/],
    },
    {
      name: 'with --etcd-servers from a variable that is not set',
      flags: () => ['--etcd-servers='],
      outcome: 'ends',
      says: [/--etcd-servers "" names no etcd/],
    },
    ...(['bücher', 'my_machine', 'x'.repeat(64)] as const).map(named),
    {
      name: 'on an address of another machine',
      flags: () => ['--bind-address', '192.0.2.1'],
      outcome: 'ends',
      says: [/192\.0\.2\.1/],
    },
  ],
};
