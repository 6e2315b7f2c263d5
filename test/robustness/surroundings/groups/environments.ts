import { behind, behindMounts, type Group } from '#test/robustness/surroundings/surrounding.ts';

export const environments: Group = {
  name: 'environment',
  rows: [
    { name: 'without any variable', wrapper: () => ['env', '-i'], outcome: 'serves' },
    { name: 'with LC_ALL=C', environment: () => ({ LC_ALL: 'C', LANG: 'C' }), outcome: 'serves' },
    { name: 'with a time zone that nobody knows', environment: () => ({ TZ: 'Nowhere/Here' }), outcome: 'serves' },
    {
      name: 'with a proxy for HTTP',
      environment: () => ({
        HTTP_PROXY: 'http://127.0.0.1:1',
        HTTPS_PROXY: 'http://127.0.0.1:1',
        NODE_USE_ENV_PROXY: '1',
      }),
      outcome: 'serves',
    },
    { name: 'with TMPDIR that is missing', environment: () => ({ TMPDIR: '/nonexistent' }), outcome: 'serves' },
    {
      name: 'with NODE_OPTIONS that open the debugger',
      environment: ({ port }) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${port + 1}` }),
      outcome: 'serves',
      says: [/Debugger listening/],
      neverSays: /address already in use/,
    },
    { name: 'with standard input closed', wrapper: () => behind('exec 0<&-'), outcome: 'serves' },
    { name: 'with standard error closed', wrapper: () => behind('exec 2>&-'), outcome: 'serves' },
    {
      name: 'without /etc/resolv.conf',
      needs: ['mounts of its own'],
      wrapper: () => behindMounts('mount --bind /dev/null /etc/resolv.conf'),
      outcome: 'serves',
    },
    {
      name: 'without a host name',
      needs: ['root', 'host names of its own'],
      wrapper: () => ['unshare', '--uts', '/bin/sh', '-c', 'echo "" > /proc/sys/kernel/hostname; exec "$@"', 'sh'],
      outcome: 'serves',
    },
  ],
};
