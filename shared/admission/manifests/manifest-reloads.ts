import { hash } from 'node:crypto';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { ManifestPlugin } from './manifest-kinds.ts';

type Status = 'success' | 'failure';

/** apiserver/pkg/admission/plugin/manifest/metrics */
const prefix = 'apiserver_manifest_admission_config_controller_';
const splits = 'split by status, plugin, and apiserver identity.';
const names = ['status', 'plugin', 'apiserver_id_hash'];
const open = new Set<ManifestReloads>();
const reloads = processRegistry.counter(
  `${prefix}automatic_reloads_total`,
  `[ALPHA] Total number of automatic reloads of admission manifest configuration ${splits}`,
  names,
  'own',
);
processRegistry.gauges(
  `${prefix}automatic_reload_last_timestamp_seconds`,
  `[ALPHA] Timestamp of the last automatic reload of admission manifest configuration ${splits}`,
  names,
  function* () {
    for (const { plugin, server, times } of open)
      for (const [status, seconds] of times) yield [[status, plugin, server], seconds];
  },
);
processRegistry.gauges(
  `${prefix}last_config_info`,
  '[ALPHA] Information about the last applied admission manifest configuration with hash as label, split by plugin and apiserver identity.',
  ['plugin', 'apiserver_id_hash', 'hash'],
  function* () {
    for (const { plugin, server, applied } of open) if (applied !== undefined) yield [[plugin, server, applied], 1];
  },
  { reset: 'never' },
);

/** Counts how the folder of one plugin is read. As in the reference, the first reading is a reload. */
export class ManifestReloads {
  readonly plugin: ManifestPlugin;
  /** The hash of the server's identity. */
  readonly server: string;
  /** Of the last reloads by their outcomes, in seconds since 1970. */
  readonly times = new Map<Status, number>();
  /** The hash of the files in effect; empty for a folder without any, undefined before the first reading. */
  applied: string | undefined;

  constructor(plugin: ManifestPlugin, serverId: string) {
    this.plugin = plugin;
    this.server = `sha256:${hash('sha256', serverId)}`;
    open.add(this);
  }

  succeeded(files: string): void {
    this.applied = files;
    this.#ended('success');
  }

  failed(): void {
    this.#ended('failure');
  }

  /** Shows the state of the folder no longer; what was counted stays. */
  close(): void {
    open.delete(this);
  }

  #ended(status: Status): void {
    reloads.add(status, this.plugin, this.server);
    this.times.set(status, Date.now() / 1000);
  }
}
