import { script, type Suite } from '#test/deep/suite.ts';

/** What hostile clients do to others. */
export const hostileSuites: readonly Suite[] = [
  {
    title: 'attacks by large objects, beside the reference',
    areas: ['hostile', 'objects'],
    needs: ['kube-apiserver', 'etcd'],
    // Ten of the 280, which take four hours.
    whole: { command: script('test/robustness/attacks/objects/run.ts --every 28'), minutes: 9 },
    // Two, of which an apply reads one as YAML, since keys stand twice in it.
    gate: {
      command: script(
        "test/robustness/attacks/objects/run.ts --only 'ConfigMap duplicate keys of data' --only 'ConfigMap owners twice'",
      ),
      minutes: 1,
    },
    bounded: script('test/robustness/attacks/objects/run.ts --slack 0 --settle 60'),
  },
  {
    title: 'attacks on seats of requests in flight, beside the reference',
    areas: ['hostile', 'connections'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/robustness/attacks/seats/run.ts --seconds 10'), minutes: 8 },
    gate: { command: script('test/robustness/attacks/seats/run.ts --seconds 2'), minutes: 2 },
    bounded: script('test/robustness/attacks/seats/run.ts --seconds 60 --slack 20'),
  },
  {
    title: 'lists of one account that flood, beside the reads of another and the lease of a controller',
    areas: ['hostile'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/robustness/attacks/floods/lists.ts --seconds 60'), minutes: 4 },
    bounded: script('test/robustness/attacks/floods/lists.ts --seconds 60 --gateways 2'),
  },
  {
    title: 'memory that one user makes the servers hold',
    areas: ['hostile'],
    needs: [],
    whole: { command: script('test/robustness/attacks/memory/run.ts'), minutes: 3 },
    gate: { command: script("test/robustness/attacks/memory/run.ts --only 'stalled watches' --hold 5"), minutes: 0.4 },
    bounded: script('test/robustness/attacks/memory/run.ts --settle 60'),
  },
  {
    title: 'an audit webhook that hangs, under writes',
    areas: ['hostile', 'connections'],
    needs: [],
    whole: { command: script('test/robustness/attacks/audit/run.ts --rate 300'), minutes: 5 },
    gate: { command: script('test/robustness/attacks/audit/run.ts --seconds 6 --rate 100 --few'), minutes: 0.6 },
    bounded: script('test/robustness/attacks/audit/run.ts --bounded'),
  },
  {
    title: 'webhooks that are slow, hang, reset or answer megabytes, while others read and write',
    areas: ['hostile'],
    needs: [],
    whole: { command: script('test/robustness/attacks/webhooks/run.ts'), minutes: 4 },
    gate: { command: script('test/robustness/attacks/webhooks/run.ts --only MB --seconds 2 --calls 0'), minutes: 0.6 },
    bounded: script('test/robustness/attacks/webhooks/run.ts --seconds 10 --calls 10000 --bounded'),
  },
  {
    title: 'core serves again after it was killed',
    areas: ['hostile', 'replicas'],
    needs: [],
    whole: { command: script('test/robustness/attacks/objects/restart.ts'), minutes: 0.5 },
    gate: 'whole',
    bounded: script('test/robustness/attacks/objects/restart.ts 3000'),
  },
  {
    // Judged by how time grows with length.
    title: 'long lists and maps of every kind cost in proportion to their length',
    areas: ['hostile'],
    needs: [],
    whole: { command: script('test/robustness/attacks/objects/long-lists.ts'), minutes: 15 },
  },
  {
    // Judged by processor time.
    title: 'expressions take time in proportion to their text',
    areas: ['hostile'],
    needs: [],
    whole: { command: script('test/benchmark/slow-expressions.ts'), minutes: 0.5 },
  },
  {
    // Judged by the time that the reference takes.
    title: 'definitions are served as soon as on the reference',
    areas: ['custom-resources'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/benchmark/new-definitions.ts'), minutes: 0.4 },
  },
  {
    title: 'parsers fuzzed one by one',
    areas: ['hostile', 'codecs'],
    needs: [],
    whole: { command: script('test/robustness/fuzz/main.ts --seconds 20'), minutes: 5 },
  },
];
