import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { clusterTrustBundleResource } from './cluster-trust-bundles.ts';
import { podCertificateRequestResource } from './pod-certificate-requests.ts';
import { signingRequestResource } from './signing-requests.ts';

export const certificatesResources: readonly BuiltInResource[] = [
  clusterTrustBundleResource,
  podCertificateRequestResource,
  signingRequestResource,
];
