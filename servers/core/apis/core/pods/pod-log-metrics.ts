import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

const usageHelp =
  'Total number of requests for pods/logs sliced by usage type: enforce_tls, skip_tls_allowed, skip_tls_denied';
const failureHelp = 'Total number of requests for pods/logs that failed due to kubelet server TLS verification';

const usages = processRegistry.counter('kube_apiserver_pod_logs_insecure_backend_total', `[ALPHA] ${usageHelp}`, [
  'usage',
]);
const failures = processRegistry.counter(
  'kube_apiserver_pod_logs_backend_tls_failure_total',
  `[ALPHA] ${failureHelp}`,
  [],
);
// By their former names, which a flag shows.
processRegistry.add({
  name: 'kube_apiserver_pod_logs_pods_logs_insecure_backend_total',
  type: 'counter',
  help: `[ALPHA] (Deprecated since 1.27.0) ${usageHelp}`,
  labelNames: usages.labelNames,
  samples: () => usages.samples(),
});
processRegistry.add({
  name: 'kube_apiserver_pod_logs_pods_logs_backend_tls_failure_total',
  type: 'counter',
  help: `[ALPHA] (Deprecated since 1.27.0) ${failureHelp}`,
  labelNames: [],
  samples: () => failures.samples(),
});

/** Counts a request for a log (pkg/registry/core/pod/rest/metrics.go). */
export function countLogRequest(skipsVerification: boolean): void {
  usages.add(skipsVerification ? 'skip_tls_allowed' : 'enforce_tls');
}

/** Counts a request whose kubelet could not be reached, if that is by its certificate. */
export function countLogFailure(message: string): void {
  if (message.startsWith('tls: failed to verify certificate')) failures.add();
}
