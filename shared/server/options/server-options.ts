import { accessFlags } from './access-flags.ts';
import { clusterFlags } from './cluster-flags.ts';
import { formatHelp } from './flag-help.ts';
import { defaultOptions, type OptionsOf } from './flag-set.ts';
import { kubeletFlags } from './kubelet-flags.ts';
import { replicaFlags } from './replica-flags.ts';
import { servingFlags } from './serving-flags.ts';
import { snapshotFlags } from './snapshot-flags.ts';
import { storageFlags } from './storage-flags.ts';

/** All supported flags of the product: names and defaults are kube-apiserver's (plus `--data-dir`). */
export const serverFlags = {
  ...servingFlags,
  ...storageFlags,
  ...accessFlags,
  ...clusterFlags,
  ...kubeletFlags,
  ...replicaFlags,
  ...snapshotFlags,
};

/**
 * The resolved options, one key for each flag, in camel case (`securePort` for `--secure-port`). Durations are
 * milliseconds where the flag is of type duration. Plain JSON, handed from the launcher to its children as is.
 */
export type ServerOptions = OptionsOf<typeof serverFlags>;

/**
 * kube-apiserver's defaults with the given changes, for programs that start a server.
 * @public
 */
export function resolveServerOptions(changed: Partial<ServerOptions> = {}): ServerOptions {
  return Object.freeze({ ...defaultOptions(serverFlags), ...changed });
}

/** The text of `--help`. */
export function serverHelp(): string {
  return formatHelp('Usage:\n  quarterdeck [store|core|extensions|gateway] [flags]', serverFlags);
}
