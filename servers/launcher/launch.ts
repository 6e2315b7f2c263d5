import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ensureDataFolder } from '#shared/files/data-folder.ts';
import { ensurePrivateFolder, makeFolder } from '#shared/files/private-folder.ts';
import { usingFile } from '#shared/files/unusable-file.ts';
import { fewDescriptorsLine } from '#shared/observability/descriptor-limit.ts';
import {
  endOnUncaught,
  formatFromFlags,
  printProcessLine,
  printFlagErrors,
  setProcessLines,
} from '#shared/observability/process-lines.ts';
import { announceReady } from '#shared/process/announce-ready.ts';
import { dataDirectoryRules, pkiPaths, withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { openProfileSocket } from '#shared/process/debug/profile-socket.ts';
import { endPatienceMs } from '#shared/process/end-patience.ts';
import { socketFolder } from '#shared/process/socket-folder.ts';
import { tellMissingEtcd } from '#shared/process/tell-missing-etcd.ts';
import { parseServerOptions, type ParsedServerOptions } from '#shared/server/options/parse-server-options.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { startChildren } from './children.ts';
import { claimDirectory } from './claim-directory.ts';
import { renewCertificates } from './pki/renew-certificates.ts';
import { prepareKeys, serverUrl, withKeyLock, writeAdminKubeconfig } from './prepare.ts';
import { openPublicSocket, type PublicSocket } from './public-socket.ts';
import { servingHosts } from './serving-hosts.ts';
import { ShutdownSequence } from './shutdown-sequence.ts';
import { Snapshots } from './snapshots.ts';
import { StartDamage } from './start-damage.ts';

export { envtest } from './envtest-assets.ts';
export { prepareAlone } from './prepare.ts';

/**
 * Checks whether a server is ready (`check-health.ts`). The module is imported here so that a start need not load it.
 */
export async function askForHealth(argv: readonly string[]): Promise<void> {
  await (await import('./check-health.ts')).checkHealth(argv);
}

/**
 * Starts everything: keys, store, core, extensions and gateway; prints one line when the API is ready.
 * @param checkFiles finds the errors of configuration files that few servers have
 */
export async function launch(argv: readonly string[], entry: string, checkFiles: CheckFiles): Promise<void> {
  setProcessLines('quarterdeck', formatFromFlags(argv));
  endOnUncaught();
  const parsed = parseCommandLine(argv);
  if (parsed.answer !== undefined) return void process.stdout.write(parsed.answer);
  if (await hasErrors(parsed, checkFiles)) return;
  const options = withDataDirectoryDefaults(parsed.options, parsed.given);
  const ending = new ShutdownSequence(endPatienceMs(options));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => ending.end(0));
  const opened = await openPlaces(options, ending);
  if (opened === undefined) return;
  const { publicSocket, directory } = opened;
  if (options.profiling) openProfileSocket(join(directory, 'launcher.sock'), options.contentionProfiling);
  const fewDescriptors = fewDescriptorsLine();
  if (fewDescriptors !== undefined) printProcessLine(fewDescriptors);
  const port = publicSocket?.port ?? options.securePort;
  const keys = withKeyLock(options.dataDir, async () => {
    await prepareKeys(options, parsed.given);
    // It is there before the servers get their options, and so before /readyz is ok.
    if (port !== 0) writeAdminKubeconfig(options, parsed.given, serverUrl(options, port));
  });
  const damage = new StartDamage((why) => ending.endBecause(why));
  const groups = startChildren({
    options: { ...options, securePort: port },
    directory,
    entry,
    keys,
    publicSocket,
    onLost: (why) => ending.endBecause(why),
    onDamaged: (reason) => damage.told(reason),
  });
  ending.stops(groups);
  const stopTelling = tellMissingEtcd(options);
  try {
    await keys;
    for (const child of groups.flat())
      void child.ready.then(
        () => damage.progressed(),
        () => damage.close(),
      );
    const [first] = await Promise.all(groups.flat().map((child) => child.ready));
    damage.close();
    stopTelling();
    const url = serverUrl(options, Number(first?.['port']) || options.securePort);
    const kubeconfig = writeAdminKubeconfig(options, parsed.given, url);
    ending.isReady = true;
    ending.add(keepCertificates(options, () => writeAdminKubeconfig(options, parsed.given, url)));
    const snapshots = startSnapshots(options, entry);
    ending.add(() => snapshots?.stop());
    announceReady(`quarterdeck is ready at ${url} after ${Math.round(performance.now())} ms, KUBECONFIG=${kubeconfig}`);
  } catch (error) {
    ending.endBecause(error instanceof Error ? error.message : String(error));
  }
}

type CheckFiles = (options: ServerOptions, given: ReadonlySet<keyof ServerOptions>) => Promise<string[]>;

/** Flags that make a start read files which few servers have. */
const withFiles = [
  'auditLogPath',
  'auditPolicyFile',
  'auditWebhookConfigFile',
  'authenticationConfig',
  'authorizationConfig',
  'authorizationPolicyFile',
  'authorizationWebhookConfigFile',
  'encryptionProviderConfig',
  'oidcIssuerUrl',
  'tracingConfigFile',
] as const;

/** Prints the errors of flags and of configuration files, if there are some. */
async function hasErrors({ options, given, errors }: ParsedServerOptions, checkFiles: CheckFiles): Promise<boolean> {
  const hasFiles = withFiles.some((key) => options[key] !== '');
  const all = [...errors, ...(hasFiles ? await checkFiles(options, given) : [])];
  if (all.length === 0) return false;
  printFlagErrors(all);
  process.exitCode = 1;
  return true;
}

/**
 * Renews the launcher's certificates while the servers run, and the kubeconfig, which contains one of them. @returns a
 * function that stops it
 */
function keepCertificates(options: ServerOptions, writeKubeconfig: () => string): () => void {
  const pki = pkiPaths(join(options.dataDir, 'pki'));
  const renewed = (files: readonly string[]): void => {
    printProcessLine(
      `certificates were renewed, and are taken up without a restart: ${files.map((file) => basename(file)).join(', ')}`,
    );
    if (files.includes(pki.adminCert)) writeKubeconfig();
  };
  return renewCertificates(pki, servingHosts(options), renewed, (error) =>
    printProcessLine(`certificates are not renewed: ${error.message}`),
  );
}

function snapshotFolder({ dataDir, snapshotDir }: ServerOptions): string {
  return snapshotDir === '' ? join(dataDir, 'snapshots') : snapshotDir;
}

/** Starts periodic snapshots; undefined if the options disable them. @throws UnusableFileError */
function startSnapshots(options: ServerOptions, entry: string): Snapshots | undefined {
  const { dataDir, snapshotInterval: intervalMs, snapshotRetention: retention, withPki } = options;
  if (intervalMs === 0) return undefined;
  return new Snapshots({
    entry,
    storeDir: join(dataDir, 'store'),
    folder: snapshotFolder(options),
    intervalMs,
    retention,
    withPki,
    report: printProcessLine,
  });
}

/** Reads the command line of the launcher, which has no command but `help` and `version`. */
function parseCommandLine(argv: readonly string[]): ParsedServerOptions {
  const [word = '', ...rest] = argv;
  if (word === 'help' || word === 'version') return parseServerOptions([`--${word}`, ...rest]);
  if (word === '' || word.startsWith('-')) return parseServerOptions(argv);
  return {
    ...parseServerOptions([]),
    errors: [
      `unknown command ${JSON.stringify(word)}: start all servers without a command, or one of them by store, core, extensions or gateway; "quarterdeck --help" lists commands and flags`,
    ],
  };
}

interface OpenedPlaces {
  /** The folder of the sockets. */
  readonly directory: string;
  /** Undefined where the gateways bind the port themselves. */
  readonly publicSocket: PublicSocket | undefined;
}

/**
 * Makes the data directory and the port this launcher's own. Returns undefined, and reports why in one line, if that is
 * impossible.
 */
async function openPlaces(options: ServerOptions, ending: ShutdownSequence): Promise<OpenedPlaces | undefined> {
  const { dataDir, bindAddress: host, securePort: port, permitPortSharing: reusePort } = options;
  try {
    ensureDataFolder(dataDir, dataDirectoryRules(options));
    // The children of a launcher that was killed hold the port, too.
    const directory = await socketFolder(dataDir);
    const lock = await claimDirectory(dataDir, undefined, directory);
    ending.add(() => {
      // A folder of temporary files, as the data directory takes no sockets.
      if (dirname(directory) !== dataDir) rmSync(directory, { recursive: true, force: true });
      lock.release();
    });
    // What clients dial from now on waits until a gateway takes it.
    const publicSocket = await openPublicSocket({ host, port, reusePort });
    if (options.etcdServers.length === 0) ensurePrivateFolder(join(dataDir, 'store'));
    const snapshots = snapshotFolder(options);
    if (options.snapshotInterval > 0) usingFile(snapshots, () => makeFolder(snapshots));
    return { directory, publicSocket };
  } catch (error) {
    ending.cleanUp();
    printFlagErrors([(error as Error).message]);
    process.exitCode = 1;
    return undefined;
  }
}
