import { script, type Suite } from '#test/deep/suite.ts';

/** What is stored, and several of each server over it. */
export const storageSuites: readonly Suite[] = [
  {
    title: 'storage contract on a real etcd',
    areas: ['storage'],
    needs: ['etcd'],
    whole: { command: 'ETCD_BIN="$REFERENCE_BIN/etcd" bash test/integration/real-etcd.sh', minutes: 0.5 },
    gate: 'whole',
  },
  {
    title: 'data of one server served by the other, both ways',
    areas: ['storage', 'codecs'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/data-both-ways.ts'), minutes: 1 },
    gate: 'whole',
  },
  {
    title: 'damaged files of a store',
    areas: ['storage'],
    needs: [],
    whole: { command: script('test/robustness/damage/run.ts'), minutes: 15 },
    gate: { command: script('test/robustness/damage/run.ts --seeds 35 --keys 400'), minutes: 0.7 },
    bounded: script('test/robustness/damage/run.ts --within 5'),
  },
  {
    title: 'a full disk under load',
    areas: ['storage'],
    needs: [],
    whole: { command: script('test/robustness/full-disk.ts'), minutes: 2.5 },
    gate: { command: script('test/robustness/full-disk.ts --rounds 4'), minutes: 0.6 },
    bounded: script('test/robustness/full-disk.ts --within 5'),
  },
  {
    title: "the README's commands for backups",
    areas: ['storage', 'clients'],
    needs: [],
    whole: { command: script('test/e2e/npm-start/readme-backup.ts'), minutes: 0.5 },
    gate: 'whole',
  },
  {
    title: 'acknowledged writes are synced to the disk',
    areas: ['storage'],
    needs: ['strace'],
    whole: { command: script('test/robustness/durability/fsync.ts'), minutes: 0.3 },
    gate: 'whole',
  },
  {
    title: 'random faults, histories checked against a model',
    areas: ['storage', 'replicas'],
    needs: [],
    whole: { command: script('test/robustness/run.ts --minutes 5'), minutes: 6 },
    gate: { command: script('test/robustness/run.ts --minutes 1 --seed 1'), minutes: 1.3 },
  },
  {
    title: 'rolling restart of two servers of each kind',
    areas: ['replicas'],
    needs: ['kbench'],
    whole: { command: script('test/replicas/rolling-restart.ts'), minutes: 0.7 },
    gate: 'whole',
  },
  {
    title: 'restarts of gateways behind a TCP balancer and on one port',
    areas: ['replicas'],
    needs: ['kbench'],
    whole: { command: script('test/replicas/several-gateways.ts'), minutes: 0.7 },
    gate: 'whole',
  },
  {
    title: 'one of two core servers is killed',
    areas: ['replicas'],
    needs: [],
    whole: { command: script('test/replicas/killed-core.ts'), minutes: 0.7 },
    gate: 'whole',
    bounded: script('test/replicas/killed-core.ts --recovers-within 2'),
  },
  {
    title: 'certificates replaced under load',
    areas: ['replicas'],
    needs: ['kbench'],
    whole: { command: script('test/replicas/renewed-certificates.ts 60'), minutes: 1.3 },
    gate: { command: script('test/replicas/renewed-certificates.ts 20'), minutes: 0.7 },
  },
  {
    title: 'certificates that expire while the servers run',
    areas: ['replicas'],
    needs: [],
    whole: { command: script('test/replicas/renewed-while-running.ts'), minutes: 1 },
    gate: 'whole',
  },
  {
    title: 'services of compose.yaml',
    areas: ['replicas'],
    needs: ['etcd', 'kubectl'],
    whole: { command: script('test/replicas/compose/run.ts "$REFERENCE_BIN/kubectl"'), minutes: 1.2 },
    gate: 'whole',
  },
  {
    title: 'compose.yaml, read by the library of docker compose',
    areas: ['replicas'],
    needs: ['go'],
    whole: {
      command: 'GOFLAGS=-mod=mod go run github.com/compose-spec/compose-go/v2/cmd@v2.16.2 compose.yaml >/dev/null',
      minutes: 0.3,
    },
    gate: 'whole',
  },
  {
    title: 'clusters of one process leave no handles when closed',
    areas: ['replicas'],
    needs: [],
    whole: {
      command: 'node --expose-gc --import tsx test/integration/one-process/open-and-close.ts 20',
      minutes: 0.7,
    },
    gate: 'whole',
    bounded: 'node --expose-gc --import tsx test/integration/one-process/open-and-close.ts 20 --heap',
  },
  {
    // Judged by how soon writes go on, in seconds.
    title: 'faults of a real etcd',
    areas: ['storage'],
    needs: ['etcd'],
    whole: { command: script('test/replicas/etcd-faults.ts'), minutes: 3.5 },
  },
  {
    // Judged by the time that the reference takes.
    title: 'loss of the leader of etcd, beside the reference',
    areas: ['storage', 'replicas'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/replicas/leader-loss.ts 2'), minutes: 2 },
  },
];
