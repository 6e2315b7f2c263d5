import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { validateSignerName } from '#servers/core/validation/signer-name.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { clusterTrustBundleRows } from './rows.ts';
import { validateTrustAnchors } from './trust-anchors.ts';

const spec = path('spec');

/** ClusterTrustBundles (pkg/registry/certificates/clustertrustbundle). The name of a signer's bundle has a prefix. */
export const clusterTrustBundleStrategy: Strategy = {
  validateName: (name, prefix, bundle) => bundleNameErrors(name, prefix, signerOf(bundle)),
  validate: (bundle) => [
    ...validateSigner(bundle),
    ...validateTrustAnchors(anchorsOf(bundle), spec.child('trustBundle')),
  ],
  validateUpdate(bundle, old) {
    const signer = signerOf(bundle);
    const { name = '' } = bundle.metadata;
    return [
      ...messages(bundleNameErrors(name, false, signer), path('metadata', 'name'), name),
      ...validateSigner(bundle),
      ...(anchorsOf(bundle) === anchorsOf(old)
        ? []
        : validateTrustAnchors(anchorsOf(bundle), spec.child('trustBundle'))),
      ...(signer === signerOf(old) ? [] : [invalid(spec.child('signerName'), signer, 'field is immutable')]),
    ];
  },
};

function signerOf(bundle: KubeObject): string {
  return stringAt(bundle, 'spec', 'signerName');
}

function anchorsOf(bundle: KubeObject): string {
  return stringAt(bundle, 'spec', 'trustBundle');
}

function validateSigner(bundle: KubeObject): FieldError[] {
  const signer = signerOf(bundle);
  return signer === '' ? [] : validateSignerName(signer, spec.child('signerName'));
}

/** ValidateClusterTrustBundleName of pkg/apis/core/validation. */
function bundleNameErrors(name: string, isPrefix: boolean, signer: string): string[] {
  if (signer === '')
    return name.includes(':')
      ? ['ClusterTrustBundle without signer name must not have ":" in its name']
      : nameIsDNSSubdomain(name, isPrefix);
  const front = `${signer.replaceAll('/', ':')}:`;
  return name.startsWith(front)
    ? nameIsDNSSubdomain(name.slice(front.length), isPrefix)
    : [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${front}`];
}

export const clusterTrustBundleResource = defineBuiltIn({
  group: 'certificates.k8s.io',
  resource: 'clustertrustbundles',
  rows: clusterTrustBundleRows,
  strategy: clusterTrustBundleStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'both',
  },
});
