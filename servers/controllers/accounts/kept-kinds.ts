import type { MetaObject } from '#servers/controllers/client/meta-object.ts';
import type { KeptKind } from './kept-object.ts';

/** What pods use that name no service account (pkg/controller/serviceaccount). */
export const defaultAccount: KeptKind<MetaObject> = {
  queue: 'serviceaccount',
  resource: 'serviceaccounts',
  name: 'default',
  object: { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default' } },
  isCurrent: () => true,
  updated: (object) => object,
};

interface ConfigMapObject extends MetaObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly metadata: MetaObject['metadata'] & { readonly annotations?: Readonly<Record<string, string>> };
}

const name = 'kube-root-ca.crt';
/** pkg/controller/certificates/rootcacertpublisher */
const annotations = {
  'kubernetes.io/description':
    'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
};

/** What pods verify the API server by. @param bundle PEM */
export function rootCertificates(bundle: string): KeptKind<ConfigMapObject> {
  const data = { 'ca.crt': bundle };
  return {
    queue: 'root_ca_cert_publisher',
    resource: 'configmaps',
    name,
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, annotations }, data },
    isCurrent: (object) =>
      JSON.stringify(object.data) === JSON.stringify(data) &&
      (object.metadata.annotations?.['kubernetes.io/description'] ?? '') !== '',
    updated: (object) => ({
      ...object,
      data,
      metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
    }),
  };
}
