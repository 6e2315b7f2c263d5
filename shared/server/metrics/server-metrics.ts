import { processCaches } from '#shared/caches/cache-budget.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import { addProcessMetrics } from '#shared/observability/process-metrics.ts';
import { effectiveVersion } from '#shared/server/options/effective-version.ts';
import { featureMetrics } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { versionInfo } from '#shared/server/options/version-info.ts';
import { webhookCertificates } from '#shared/webhooks/webhook-certificates.ts';

/** Families that each process has: about itself, its release, its gates and its webhooks. */
export function serverMetrics(options: ServerOptions): readonly Family[] {
  const registry = new MetricsRegistry();
  addProcessMetrics(registry);
  registry.add(featureMetrics(options));
  for (const family of webhookCertificates.families()) registry.add(family);
  addReleaseMetrics(registry, options);
  addCacheMetrics(registry);
  return registry.families();
}

/** component-base/metrics/version.go and its compatversion. */
function addReleaseMetrics(registry: MetricsRegistry, options: ServerOptions): void {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = versionInfo;
  registry.gauges(
    'kubernetes_build_info',
    "[BETA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    [
      'major',
      'minor',
      'git_version',
      'git_commit',
      'git_tree_state',
      'build_date',
      'go_version',
      'compiler',
      'platform',
    ],
    () => [[[major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform], 1]],
  );
  const { emulation, minCompatibility } = effectiveVersion(options);
  registry.gauges(
    'version_info',
    '[ALPHA] Provides the compatibility version info of the component. The component label is the name of the component, usually kube, but is relevant for aggregated-apiservers.',
    ['component', 'binary', 'emulation', 'min_compat'],
    () => [[['kube', gitVersion.slice(1), emulation, minCompatibility], 1]],
  );
}

function addCacheMetrics(registry: MetricsRegistry): void {
  registry.gauges(
    'quarterdeck_kept_bytes',
    '[ALPHA] Bytes that are kept for later requests (prepared answers, compiled expressions and patterns), by cache.',
    ['cache'],
    () => processCaches.held(),
    { reset: 'never' },
  );
  registry.gauges(
    'quarterdeck_kept_bytes_limit',
    '[ALPHA] Bytes that each cache may keep. Their sum is the most that all caches of the process take.',
    ['cache'],
    () => processCaches.limits(),
    { reset: 'never' },
  );
}
