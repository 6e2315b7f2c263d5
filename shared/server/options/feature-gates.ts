import { resolveFeatureGates, type ResolvedFeatureGates } from '#shared/api/feature-gates.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { gaugeFamily } from '#shared/observability/metrics/gauge.ts';
import { effectiveVersion } from './effective-version.ts';
import type { ServerOptions } from './server-options.ts';

/** The prefix for the component of all gates. */
export const kubePrefix = 'kube:';

/** The gates by `--feature-gates` and the emulated release. */
export function featureGates(options: ServerOptions): ResolvedFeatureGates {
  return resolveFeatureGates(withoutComponent(options.featureGates), effectiveVersion(options));
}

/** Removes the prefix: `kube:Name` is the same gate as `Name`. */
function withoutComponent(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key.startsWith(kubePrefix) ? key.slice(kubePrefix.length) : key,
      value,
    ]),
  );
}

/** Whether bodies and answers may be CBOR, and custom resources are stored as CBOR. */
export function servesCbor(options: ServerOptions): boolean {
  return featureGates(options).gates.isEnabled('CBORServingAndStorage');
}

/** Whether a front proxy may pass the uid of a user. */
export function readsUidHeaders(options: ServerOptions): boolean {
  return featureGates(options).gates.isEnabled('RemoteRequestHeaderUID');
}

/** Whether clients may request a shard of a collection. */
export function servesShards(options: ServerOptions): boolean {
  return featureGates(options).gates.isEnabled('ShardedListAndWatch');
}

/** Whether discovery shows the hashes of storage versions. */
export function showsStorageHashes(options: ServerOptions): boolean {
  return featureGates(options).gates.isEnabled('StorageVersionHash');
}

/** Whether watch caches are compared with storage every few minutes. */
export function checksCaches(options: ServerOptions): boolean {
  return featureGates(options).gates.isEnabled('DetectCacheInconsistency');
}

/** `kubernetes_feature_enabled` (component-base/metrics/prometheus/feature). */
export function featureMetrics(options: ServerOptions): Family {
  return gaugeFamily(
    {
      name: 'kubernetes_feature_enabled',
      help: '[BETA] This metric records the data about the stage and enablement of a k8s feature.',
      labelNames: ['name', 'stage'],
    },
    () =>
      featureGates(options)
        .list()
        .map(({ name, stage, enabled }) => [[name, stage.toUpperCase()], enabled ? 1 : 0]),
  );
}

/** Whether admission plugins may read rules from folders of manifests. */
export function readsManifests(options: ServerOptions): boolean {
  return featureGates(options).gates.isEnabled('ManifestBasedAdmissionControlConfig');
}

/** Whether issuers of JWTs may be configured by a file. */
export function readsAuthenticationFiles(options: ServerOptions): boolean {
  return featureGates(options).gates.isEnabled('StructuredAuthenticationConfiguration');
}
