import { script, type Suite } from '#test/deep/suite.ts';

/** Objects of the built-in API and what is done with them; the flags that choose their versions and features. */
export const objectSuites: readonly Suite[] = [
  {
    title: 'replay corpora',
    areas: ['objects', 'versions'],
    needs: [],
    whole: { command: script('test/conformance/replay/run.ts'), minutes: 0.9 },
    gate: 'whole',
    isRecorded: true,
  },
  {
    title: 'random scenarios with the recorded answers of the reference',
    areas: ['objects'],
    needs: [],
    whole: { command: script('test/conformance/differential/recorded.ts'), minutes: 0.2 },
    gate: 'whole',
    isRecorded: true,
  },
  {
    title: 'series of requests beside the reference',
    areas: ['objects', 'custom-resources'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/series/run.ts'), minutes: 6 },
    gate: { command: script('test/conformance/series/run.ts --share 3'), minutes: 2.5 },
  },
  {
    title: 'validation of objects with one member changed, beside the reference',
    areas: ['objects'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/validation-sweep/run.ts'), minutes: 15 },
    gate: { command: script('test/conformance/validation-sweep/run.ts --share 20'), minutes: 0.6 },
  },
  {
    title: 'bootstrap objects on empty and on changed data, beside the reference',
    areas: ['objects', 'versions'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/series/run-bootstrap.ts'), minutes: 8 },
    gate: { command: script('test/conformance/series/run-bootstrap.ts "by default"'), minutes: 1.2 },
  },
  {
    title: "upstream's manifests, beside the reference",
    areas: ['objects'],
    needs: ['kube-apiserver', 'etcd', 'source of the reference'],
    whole: { command: script('test/conformance/manifests/run.ts "$REFERENCE_BIN/../kubernetes"'), minutes: 10 },
    gate: {
      command: script(
        'test/conformance/manifests/run.ts "$REFERENCE_BIN/../kubernetes" --seeds 1 --only hack/testdata',
      ),
      minutes: 1,
    },
  },
  {
    title: 'random requests beside the reference',
    areas: ['objects'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/differential/run.ts --minutes 5'), minutes: 6 },
  },
  {
    title: 'feature gates and emulated versions beside the reference',
    areas: ['versions', 'objects'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/gates/run.ts'), minutes: 1.3 },
    gate: 'whole',
  },
  {
    title: 'discovery under every form of the flags, beside the reference',
    areas: ['versions'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/versions/run.ts'), minutes: 3 },
    gate: { command: script('test/conformance/versions/run.ts all gates resource'), minutes: 1.2 },
  },
  {
    title: 'every kind in each of its versions, beside the reference',
    areas: ['versions', 'codecs'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/versions/run-round-trips.ts'), minutes: 0.3 },
    gate: 'whole',
  },
  {
    title: 'flags on storage beside the reference',
    areas: ['versions', 'storage'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/versions/run-storage-flags.ts'), minutes: 0.6 },
    gate: 'whole',
    bounded: script('test/conformance/versions/run-storage-flags.ts --times'),
  },
  {
    title: 'flags that keep both servers from starting',
    areas: ['versions'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/versions/run-wrong-flags.ts'), minutes: 0.3 },
    gate: 'whole',
  },
  {
    title: 'generated facts are fresh',
    areas: ['versions', 'openapi'],
    needs: ['go'],
    whole: { command: 'bash test/recorders/facts/check.sh', minutes: 1 },
    gate: 'whole',
  },
];
