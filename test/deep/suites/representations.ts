import { script, type Suite } from '#test/deep/suite.ts';

/** How objects, lists and documents look on the wire; custom resources. */
export const representationSuites: readonly Suite[] = [
  {
    title: 'content negotiation, with the recorded answers of the reference',
    areas: ['codecs'],
    needs: [],
    whole: { command: script('test/conformance/negotiation/check.ts'), minutes: 0.3 },
    gate: 'whole',
    isRecorded: true,
  },
  {
    title: 'lists in every representation, byte for byte beside the reference',
    areas: ['codecs', 'lists'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/representations/run.ts'), minutes: 0.6 },
    gate: 'whole',
  },
  {
    title: 'codec fixtures of the k8s.io/api module',
    areas: ['codecs'],
    needs: ['go'],
    whole: {
      command: `folder=$(cd test/recorders/facts && go mod download k8s.io/api && go list -m -f '{{.Dir}}' k8s.io/api) && node --import tsx test/conformance/codec-fixtures/check.ts "$folder/testdata/HEAD"`,
      minutes: 0.5,
    },
    gate: 'whole',
  },
  {
    title: '100,000 random documents through the indenting printer',
    areas: ['codecs'],
    needs: [],
    whole: {
      command: 'PRETTY_DOCUMENTS=100000 node --import tsx --test shared/serializer/json/pretty-printer.test.ts',
      minutes: 0.2,
    },
    gate: 'whole',
  },
  {
    title: 'lists and watches beside the reference',
    areas: ['lists'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/lists/run.ts'), minutes: 1.6 },
    gate: 'whole',
  },
  {
    title: 'informers over a restored snapshot',
    areas: ['lists', 'storage'],
    needs: ['go'],
    whole: { command: script('test/e2e/restored-informers/run.ts'), minutes: 3 },
  },
  {
    title: 'random rules of custom resources beside the reference',
    areas: ['custom-resources'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/random-rules/run.ts --minutes 5'), minutes: 6 },
    gate: { command: script('test/conformance/random-rules/run.ts --rounds 12 --seed 2'), minutes: 0.4 },
  },
  {
    title: 'random definitions: documents, Tables and objects beside the reference',
    areas: ['custom-resources', 'openapi'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/random-definitions/run.ts --rounds 30 --seed 1'), minutes: 8 },
    gate: { command: script('test/conformance/random-definitions/run.ts --rounds 2 --seed 21'), minutes: 0.8 },
  },
  {
    title: 'definitions of well-known projects',
    areas: ['custom-resources', 'openapi'],
    needs: ['go'],
    // Forty broken rules a version; ten are enough to see that rules are kept.
    whole: { command: script('test/conformance/published-crds/check.ts'), minutes: 8 },
    gate: { command: script('test/conformance/published-crds/check.ts --breaks 10'), minutes: 3 },
  },
  {
    title: 'OpenAPI documents beside the reference',
    areas: ['openapi', 'versions'],
    needs: ['kube-apiserver', 'etcd'],
    whole: { command: script('test/conformance/openapi/run.ts'), minutes: 0.5 },
    gate: 'whole',
  },
];
