import { clusterTrustBundleResource } from './cluster-trust-bundles.ts';
import { podCertificateRequestResource } from './pod-certificate-requests.ts';
import { signingRequestResource } from './signing-requests.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const certificatesResources: readonly BuiltInResource[] = [
  clusterTrustBundleResource,
  podCertificateRequestResource,
  signingRequestResource,
];
