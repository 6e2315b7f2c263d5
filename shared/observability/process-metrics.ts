import { readdirSync, readFileSync } from 'node:fs';
import type { Family } from './metrics/family.ts';
import { gaugeFamily } from './metrics/gauge.ts';
import type { MetricsRegistry } from './metrics/registry.ts';
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
  registry.gauge('process_max_fds', 'Maximum number of open file descriptors.', () => limitOf('Max open files'));
  registry.gauge('process_virtual_memory_bytes', 'Virtual memory size in bytes.', virtualBytes);
  registry.gauge('process_virtual_memory_max_bytes', 'Maximum amount of virtual memory available in bytes.', () =>
    limitOf('Max address space'),
  );
  for (const [name, field, direction] of [
    ['receive', 'InOctets', 'received by'],
    ['transmit', 'OutOctets', 'sent by'],
  ] as const)
    registry.add({
      name: `process_network_${name}_bytes_total`,
      type: 'counter',
      help: `Number of bytes ${direction} the process over the network.`,
      labelNames: [],
      // The system counts for all processes of the machine, or of the container.
      merged: 'own',
      samples: () => networkBytes(field).map((value) => ({ labels: [], value })),
    });
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

/** A soft limit of the process; undefined if the system does not provide it. */
function limitOf(name: string): number | undefined {
  const [, limit] = new RegExp(`^${name} +(\\d+|unlimited)`, 'm').exec(textOf('limits')) ?? [];
  return limit === 'unlimited' ? 2 ** 64 : limit === undefined ? undefined : Number(limit);
}

function virtualBytes(): number | undefined {
  const [, kilobytes] = /^VmSize:\s+(\d+) kB$/m.exec(textOf('status')) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** A field of the lines `IpExt:` of the system's counters, whose first line has the names. */
function networkBytes(field: string): number[] {
  const [names = [], values = []] = textOf('net/netstat')
    .split('\n')
    .filter((line) => line.startsWith('IpExt:'))
    .map((line) => line.split(' '));
  const value = values[names.indexOf(field)];
  return value === undefined ? [] : [Number(value)];
}

/** A file about this process; empty if the system has none. */
function textOf(file: string): string {
  try {
    return readFileSync(`/proc/self/${file}`, 'latin1');
  } catch {
    return '';
  }
}
