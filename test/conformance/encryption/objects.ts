/** An object that is written, and where it lies. */
export interface Sample {
  readonly collection: string;
  /** Without the name. */
  readonly key: string;
  /** How its stored value begins, with {@link fileWith} of one key. */
  readonly prefix: (letter: string) => string;
  readonly object: (name: string) => Record<string, unknown>;
}

/** In the clear in every object, and in no stored value that is encrypted. */
export const mark = 'words-that-nobody-may-read';

const template = { metadata: { labels: { mark } }, spec: { containers: [{ name: 'a', image: mark }] } };
const named = (name: string): Record<string, unknown> => ({ name, labels: { mark } });
const by = (kind: string) => (letter: string) => `k8s:enc:${kind}:v1:key-${letter}:`;
const core = '/api/v1/namespaces/default';

export const samples: readonly Sample[] = [
  {
    collection: `${core}/configmaps`,
    key: '/configmaps/default/',
    prefix: by('aescbc'),
    object: (name) => ({ metadata: named(name), data: { a: mark } }),
  },
  {
    collection: `${core}/podtemplates`,
    key: '/podtemplates/default/',
    prefix: by('aesgcm'),
    object: (name) => ({ metadata: named(name), template }),
  },
  {
    collection: `${core}/secrets`,
    key: '/secrets/default/',
    prefix: by('secretbox'),
    object: (name) => ({ metadata: named(name), stringData: { a: mark } }),
  },
  {
    collection: `${core}/limitranges`,
    key: '/limitranges/default/',
    prefix: () => 'k8s\0',
    object: (name) => ({ metadata: named(name), spec: { limits: [] } }),
  },
  {
    collection: '/apis/apps/v1/namespaces/default/deployments',
    key: '/deployments/default/',
    prefix: by('aesgcm'),
    object: (name) => ({ metadata: named(name), spec: { selector: { matchLabels: { mark } }, template } }),
  },
  {
    collection: `${core}/services`,
    key: '/services/specs/default/',
    prefix: by('secretbox'),
    object: (name) => ({ metadata: named(name), spec: { ports: [{ port: 80 }] } }),
  },
  {
    collection: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    key: '/leases/default/',
    prefix: by('secretbox'),
    object: (name) => ({ metadata: named(name), spec: { holderIdentity: mark } }),
  },
  {
    collection: `${core}/events`,
    key: '/events/default/',
    prefix: by('secretbox'),
    object: (name) => ({ metadata: named(name), involvedObject: { namespace: 'default' }, message: mark }),
  },
  {
    collection: '/apis/awesome.bears.example/v1/namespaces/default/pandas',
    key: '/awesome.bears.example/pandas/default/',
    prefix: by('secretbox'),
    object: (name) => ({
      apiVersion: 'awesome.bears.example/v1',
      kind: 'Panda',
      metadata: named(name),
      spec: { text: mark },
    }),
  },
];

export const pandas = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pandas.awesome.bears.example' },
  spec: {
    group: 'awesome.bears.example',
    scope: 'Namespaced',
    names: { plural: 'pandas', singular: 'panda', kind: 'Panda', listKind: 'PandaList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
