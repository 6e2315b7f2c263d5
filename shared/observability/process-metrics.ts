import { readdirSync } from 'node:fs';
import type { MetricsRegistry } from './metrics/registry.ts';
import { residentBytes } from './resident-bytes.ts';

/** The metrics that every exporter has about its process (prometheus client_golang, collector of processes). */
export function addProcessMetrics(registry: MetricsRegistry): void {
  const startedAt = Math.round(Date.now() - process.uptime() * 1000) / 1000;
  registry.counterFrom('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  registry.gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', residentBytes);
  registry.gauge(
    'process_start_time_seconds',
    'Start time of the process since unix epoch in seconds.',
    () => startedAt,
  );
  registry.gauge('process_open_fds', 'Number of open file descriptors.', openFiles);
}

/** Undefined if the system does not provide the number. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
