import { script, type Suite } from '#test/deep/suite.ts';

const controlPlane = ['kube-controller-manager', 'kube-scheduler', 'kwok', 'kubectl'] as const;

/** kubectl, libraries, controllers and tests of others; what starts and ends the processes. */
export const clientSuites: readonly Suite[] = [
  {
    title: 'commands of kubectl, with the recorded answers of the reference',
    areas: ['clients', 'objects'],
    needs: ['kubectl'],
    whole: { command: script('test/e2e/kubectl/compare.ts "$REFERENCE_BIN/kubectl"'), minutes: 0.8 },
    gate: 'whole',
  },
  {
    title: 'commands of kubectl over an etcd',
    areas: ['storage', 'clients'],
    needs: ['kubectl', 'etcd'],
    whole: { command: script('test/e2e/kubectl/compare.ts --set-up etcd'), minutes: 0.8 },
    gate: 'whole',
  },
  {
    title: 'commands of kubectl on replicated servers',
    areas: ['replicas', 'clients'],
    needs: ['kubectl', 'etcd'],
    whole: { command: script('test/e2e/kubectl/compare.ts --set-up replicated'), minutes: 1 },
    gate: 'whole',
  },
  {
    title: 'registered API servers',
    areas: ['clients', 'connections'],
    needs: ['kubectl', 'sample-apiserver'],
    whole: { command: script('test/e2e/registered-servers/run.ts'), minutes: 0.8 },
    gate: 'whole',
  },
  {
    title: 'registered API servers, metrics-server among them',
    areas: ['clients'],
    needs: ['kubectl', 'sample-apiserver', 'metrics-server'],
    build: 'bash test/e2e/registered-servers/build.sh',
    whole: { command: script('test/e2e/registered-servers/run.ts'), minutes: 1.2 },
  },
  {
    title: 'controllers, scheduler and nodes',
    areas: ['clients'],
    needs: controlPlane,
    whole: { command: script('test/e2e/controllers/run.ts --minutes 5'), minutes: 6 },
    gate: { command: script('test/e2e/controllers/run.ts --minutes 2'), minutes: 2.6 },
  },
  {
    title: 'clients in Go, Python, Java, Rust and JavaScript, and curl',
    areas: ['clients'],
    needs: [],
    whole: { command: script('test/e2e/sdk/run.ts'), minutes: 12 },
    gate: { command: script('test/e2e/sdk/run.ts --quick'), minutes: 3 },
  },
  {
    title: 'npm start ended in every way',
    areas: ['clients', 'replicas'],
    needs: [],
    whole: { command: script('test/e2e/npm-start/ends.ts'), minutes: 3 },
    gate: { command: script('test/e2e/npm-start/ends.ts 1'), minutes: 1 },
    bounded: script('test/e2e/npm-start/ends.ts --within 5'),
  },
  {
    title: 'signals to all processes at once',
    areas: ['clients', 'replicas'],
    needs: [],
    whole: { command: script('test/e2e/npm-start/signals-to-all.ts'), minutes: 6 },
    gate: { command: script('test/e2e/npm-start/signals-to-all.ts 1'), minutes: 2 },
  },
  {
    title: 'second servers on one data directory, and servers started after kills',
    areas: ['clients', 'storage'],
    needs: [],
    whole: { command: script('test/e2e/npm-start/second-server.ts'), minutes: 1.5 },
    gate: 'whole',
  },
  {
    title: 'starts on unfit data directories and key files',
    areas: ['storage', 'clients'],
    needs: [],
    whole: { command: script('test/e2e/npm-start/unfit-starts.ts'), minutes: 0.6 },
    gate: 'whole',
    bounded: script('test/e2e/npm-start/unfit-starts.ts --within 5'),
  },
  {
    title: 'starts in odd surroundings: clocks, limits, file systems, users, memory, signals',
    areas: ['clients', 'storage'],
    needs: [],
    whole: { command: script('test/robustness/surroundings/run.ts'), minutes: 4 },
    gate: { command: script('test/robustness/surroundings/run.ts --only limits'), minutes: 0.5 },
    bounded: script('test/robustness/surroundings/run.ts --within 5'),
  },
  {
    title: 'helm',
    areas: ['clients'],
    needs: ['helm', 'kubectl'],
    whole: { command: script('test/e2e/helm/run.ts'), minutes: 0.6 },
    gate: 'whole',
  },
  {
    title: "upstream's scripts that test kubectl, beside the reference",
    areas: ['clients'],
    needs: ['kube-apiserver', 'etcd', 'kubectl', 'kube-controller-manager', 'source of the reference'],
    whole: { command: script('test/e2e/kubectl-test-cmd/run.ts'), minutes: 15 },
    gate: {
      command: script(
        "test/e2e/kubectl-test-cmd/run.ts --only 'run_(kubectl_version|RESTMapper|crd|namespace|kubectl_apply|kubectl_server_side_apply|authorization|template_output)_'",
      ),
      minutes: 2.5,
    },
  },
  {
    title: 'controller-runtime on envtest, beside the reference',
    areas: ['clients', 'lists'],
    needs: ['kube-apiserver', 'etcd', 'kubectl', 'controller-runtime/cache.test'],
    build: 'bash test/e2e/controller-runtime/build.sh',
    whole: { command: script('test/e2e/controller-runtime/run.ts client cache'), minutes: 4 },
    gate: {
      command: script(
        "test/e2e/controller-runtime/run.ts --focus 'Multi-Namespace Informer Cache.*as an Informer|Client.*Create' client cache",
      ),
      minutes: 1,
    },
    bounded: script('test/e2e/controller-runtime/run.ts --bound 1 client cache'),
  },
  {
    title: "upstream's own integration tests",
    areas: ['clients', 'objects'],
    needs: ['go', 'etcd', 'source of the reference', 'integration/apiserver-apply.test'],
    build: 'bash test/e2e/upstream-integration/build.sh apiserver/apply dryrun',
    whole: { command: script('test/e2e/upstream-integration/run.ts --build'), minutes: 35 },
    gate: { command: script('test/e2e/upstream-integration/run.ts apiserver/apply dryrun'), minutes: 2 },
  },
  {
    title: "upstream's own e2e suite",
    areas: ['clients'],
    needs: ['e2e.test', ...controlPlane],
    build: 'bash test/e2e/conformance/build.sh',
    whole: { command: script('test/e2e/conformance/run.ts'), minutes: 40 },
    gate: { command: script('test/e2e/conformance/run.ts --quick'), minutes: 2 },
  },
];
