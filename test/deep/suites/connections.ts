import { script, type Suite } from '#test/deep/suite.ts';

/** Connections, proxies and streams; who asks and what he may. */
export const connectionSuites: readonly Suite[] = [
  {
    title: "certificates of a cluster under OpenSSL's strict rules",
    areas: ['identity'],
    needs: ['openssl'],
    whole: { command: script('test/e2e/openssl/verify-chains.ts'), minutes: 0.1 },
    gate: 'whole',
    isRecorded: true,
  },
  {
    title: 'connections beside the reference',
    areas: ['connections'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/transport/run.ts'), minutes: 0.4 },
    gate: 'whole',
  },
  {
    title: 'proxies to pods, services and nodes beside the reference',
    areas: ['connections'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/proxies/run.ts'), minutes: 0.4 },
    gate: 'whole',
  },
  {
    title: 'connections to nodes beside the reference',
    areas: ['connections'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/node-connections/run.ts'), minutes: 0.5 },
    gate: 'whole',
  },
  {
    title: 'logs, commands and ports of nodes, beside the reference',
    areas: ['connections', 'clients'],
    needs: ['kube-apiserver', 'etcd', 'kubectl', 'kwok'],
    whole: { command: script('test/e2e/node-streams/run.ts'), minutes: 0.7 },
    gate: 'whole',
  },
  {
    title: 'streams through the gateway',
    areas: ['connections'],
    needs: [],
    whole: { command: script('test/e2e/registered-servers/streams.ts'), minutes: 0.5 },
    gate: 'whole',
    bounded: script('test/e2e/registered-servers/streams.ts --bounds'),
  },
  {
    title: 'random bytes and frames against the gateway',
    areas: ['connections', 'hostile'],
    needs: [],
    whole: { command: script('test/robustness/attacks/protocol/fuzz.ts --minutes 5'), minutes: 5 },
    gate: { command: script('test/robustness/attacks/protocol/fuzz.ts --minutes 0.5 --seed 1'), minutes: 0.6 },
  },
  {
    title: 'service-account tokens of all shapes, beside the reference',
    areas: ['identity'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/robustness/attacks/identity/tokens/run.ts'), minutes: 0.4 },
    gate: 'whole',
  },
  {
    title: 'client certificates of all shapes, beside the reference',
    areas: ['identity'],
    needs: ['kube-apiserver', 'etcd', 'openssl', 'go'],
    whole: { command: script('test/robustness/attacks/identity/certificates/run.ts'), minutes: 0.5 },
    gate: 'whole',
  },
  {
    title: 'impersonation with its gate on and off, beside the reference',
    areas: ['identity'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/robustness/attacks/identity/impersonation/run.ts'), minutes: 0.3 },
    gate: 'whole',
  },
  {
    title: 'bytes beyond ASCII in headers, queries and paths, beside the reference',
    areas: ['identity', 'connections'],
    needs: ['kube-apiserver', 'etcd'],
    // No share in the gate: where --every leaves out the request that makes an object, the next one finds none.
    whole: { command: script('test/robustness/attacks/identity/header-bytes/run.ts'), minutes: 2.5 },
  },
  {
    title: 'paths of every resource beside the reference',
    areas: ['identity', 'lists'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/robustness/attacks/access/compare-paths.ts --share 1'), minutes: 12 },
    gate: { command: script('test/robustness/attacks/access/compare-paths.ts --share 15 --seed 1'), minutes: 0.7 },
  },
  {
    title: 'cache keys of a million authorization questions',
    areas: ['identity'],
    needs: [],
    whole: { command: script('test/robustness/attacks/access/run-cache-keys.ts'), minutes: 0.6 },
    gate: 'whole',
  },
];
