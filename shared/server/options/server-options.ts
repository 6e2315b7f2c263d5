import { admissionFlags } from './admission-flags.ts';
import { auditFlags } from './audit-flags.ts';
import { authenticationFlags } from './authentication-flags.ts';
import { authorizationFlags } from './authorization-flags.ts';
import { clusterFlags } from './cluster-flags.ts';
import { controllerFlags } from './controller-flags.ts';
import { formatHelp } from './flag-help.ts';
import { defaultOptions, type OptionsOf } from './flag-set.ts';
import { kubeletFlags } from './kubelet-flags.ts';
import { observabilityFlags } from './observability-flags.ts';
import { peerFlags } from './peer-flags.ts';
import { replicaFlags } from './replica-flags.ts';
import { servingFlags } from './serving-flags.ts';
import { snapshotFlags } from './snapshot-flags.ts';
import { storageFlags } from './storage-flags.ts';

/** All supported flags of the product: names and defaults are kube-apiserver's (plus `--data-dir`). */
export const serverFlags = {
  ...servingFlags,
  ...storageFlags,
  ...authenticationFlags,
  ...authorizationFlags,
  ...admissionFlags,
  ...auditFlags,
  ...observabilityFlags,
  ...peerFlags,
  ...clusterFlags,
  ...kubeletFlags,
  ...replicaFlags,
  ...controllerFlags,
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

const usage = `Usage:
  quarterdeck [flags]                                start store, core, extensions and gateway together
  quarterdeck store|core|extensions|gateway [flags]  start one of them ("quarterdeck store --help" lists other flags)
  quarterdeck controllers [flags]                    run controllers (--controllers) beside a gateway of --data-dir
  quarterdeck store COMMAND [flags]                  back up, check and repair the embedded store
  quarterdeck keys [flags]                           only make the keys and the kubeconfig in --data-dir
  quarterdeck health [flags]                         ask the server with these flags whether it is ready
  quarterdeck help | version

Files that are not named are made in --data-dir.`;

/** The text of `--help`, wrapped to the terminal if it goes to one. */
export function serverHelp(columns: number | undefined = process.stdout.columns): string {
  return formatHelp(usage, serverFlags, columns);
}
