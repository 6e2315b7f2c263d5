import { hash } from 'node:crypto';
import type { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import type { ReloadListener } from './reloaded-configuration.ts';

/** Kinds of configuration that the reference counts reloads of. */
export type ReloadedKind = 'authentication' | 'authorization' | 'encryption';

/**
 * Registers the families of one reloaded configuration, `apiserver_<kind>_config_controller_*`
 * (apiserver/pkg/server/options/{authenticationconfig,authorizationconfig,encryptionconfig}/metrics), and returns what
 * counts its reloads.
 * @param serverId the identity of this server process
 * @param applied the contents that are in effect already
 */
export function registerReloadMetrics(
  metrics: MetricsRegistry,
  kind: ReloadedKind,
  serverId: string,
  applied: Uint8Array,
): ReloadListener {
  const prefix = `apiserver_${kind}_config_controller`;
  const server = shortHash(serverId);
  let last = shortHash(applied);
  const times = new Map<string, number>();
  const reloads = metrics.counter(
    `${prefix}_automatic_reloads_total`,
    `[BETA] Reloads of the ${kind} configuration by result and server.`,
    ['apiserver_id_hash', 'status'],
    'own',
  );
  metrics.gauges(
    `${prefix}_automatic_reload_last_timestamp_seconds`,
    `[BETA] Time of the last reload of the ${kind} configuration by result and server, in seconds since 1970.`,
    ['apiserver_id_hash', 'status'],
    () => [...times].map(([status, seconds]) => [[server, status], seconds] as const),
  );
  metrics.gauges(
    `${prefix}_last_config_info`,
    `[ALPHA] Hash of the ${kind} configuration in effect, by server.`,
    ['apiserver_id_hash', 'hash'],
    () => [[[server, last], 1]],
    { reset: 'never' },
  );
  return (status, bytes) => {
    reloads.add(server, status);
    times.set(status, Date.now() / 1000);
    if (bytes !== undefined) last = shortHash(bytes);
  };
}

function shortHash(text: string | Uint8Array): string {
  return text.length === 0 ? '' : `sha256:${hash('sha256', text)}`;
}
