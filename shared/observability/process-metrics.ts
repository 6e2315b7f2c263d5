import { readdirSync } from 'node:fs';
import type { Family } from './metrics/family.ts';
import { gaugeFamily, type MetricsRegistry } from './metrics/registry.ts';
import { residentBytes } from './resident-bytes.ts';

/** The metrics that every exporter has about its process (prometheus client_golang, collector of processes). */
export function addProcessMetrics(registry: MetricsRegistry): void {
  registry.counterFrom('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  registry.gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', residentBytes);
  registry.add(startTimeFamily());
  registry.gauge('process_open_fds', 'Number of open file descriptors.', openFiles);
}

/** @param stability with which the help begins; on `/metrics` it has none */
export function startTimeFamily(stability: '' | '[ALPHA] ' = ''): Family {
  const startedAt = Math.round(Date.now() - process.uptime() * 1000) / 1000;
  const help = `${stability}Start time of the process since unix epoch in seconds.`;
  return gaugeFamily({ name: 'process_start_time_seconds', help, labelNames: [] }, () => [[[], startedAt]]);
}

/** Undefined if the system does not provide the number. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
