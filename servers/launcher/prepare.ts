import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDataFolder } from '#shared/files/data-folder.ts';
import { FileLock, lockHolder } from '#shared/files/file-lock.ts';
import { readPair, readPrivateKey } from '#shared/files/key-files.ts';
import { UnusableFileError, unusableFileExitCode } from '#shared/files/unusable-file.ts';
import {
  formatFromFlags,
  printProcessLine,
  printFlagErrors,
  setProcessLines,
} from '#shared/observability/process-lines.ts';
import {
  dataDirectoryRules,
  pkiPaths,
  processSockets,
  servingPair,
  withDataDirectoryDefaults,
} from '#shared/process/data-directory.ts';
import { socketFolder } from '#shared/process/socket-folder.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { claimSocket, joinDirectory } from './claim-directory.ts';
import { writeKubeconfig } from './pki/kubeconfig.ts';
import { ensureCertificates, ensureServiceAccountKeys, ensureServingPair } from './pki/pki.ts';
import { reachableAddress, servingHosts } from './serving-hosts.ts';

type Given = ReadonlySet<keyof ServerOptions>;

const lockWithinMs = 10_000;

/**
 * Creates missing keys and certificates.
 * @throws UnusableFileError (as a rejection) for the first file that cannot be used, or a missing package that
 * `options` need
 */
export async function prepareKeys(options: ServerOptions, given: Given): Promise<void> {
  if (options.etcdServers.length > 0) requireInstalled('etcd3', '--etcd-servers');
  const pki = pkiPaths(join(options.dataDir, 'pki'));
  const rsa = ensureServiceAccountKeys(pki);
  // `rsa` is awaited last, so that the failure of another file may be thrown first. Without this handler its own
  // rejection would be unhandled then.
  rsa.catch(() => undefined);
  ensureCertificates(pki, servingHosts(options));
  if (given.has('certDir') && !given.has('tlsCertFile'))
    ensureServingPair(pki, servingPair(options, pki, given), servingHosts(options));
  if (given.has('tlsCertFile') && options.tlsPrivateKeyFile !== '')
    readPair(
      options.tlsCertFile,
      options.tlsPrivateKeyFile,
      'name a certificate and its own key with --tls-cert-file and --tls-private-key-file',
    );
  if (given.has('serviceAccountSigningKeyFile'))
    readPrivateKey(
      options.serviceAccountSigningKeyFile,
      'name an RSA or ECDSA private key with --service-account-signing-key-file',
    );
  await rsa;
}

/** Checks that a package is installed that is not in the bundles, as few starts need it. */
function requireInstalled(name: string, flag: string): void {
  const require = createRequire(import.meta.url);
  try {
    require.resolve(name);
  } catch (error) {
    throw new UnusableFileError(
      dirname(fileURLToPath(import.meta.url)),
      `has no package ${name} beside it, which ${flag} needs`,
      'install Quarterdeck with npm, or copy node_modules as well',
      error,
    );
  }
}

/** Writes the kubeconfig of the administrator; returns its path. */
export function writeAdminKubeconfig(options: ServerOptions, given: Given, url: string): string {
  const path = join(options.dataDir, 'kubeconfig');
  writeKubeconfig(
    path,
    url,
    pkiPaths(join(options.dataDir, 'pki')),
    given.has('tlsCertFile') || given.has('certDir') ? options.tlsCertFile : undefined,
  );
  return path;
}

export function serverUrl(options: ServerOptions, port: number): string {
  const host = reachableAddress(options.bindAddress);
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Prepares the data directory (folders, keys and kubeconfig) for a sub-command that runs without the launcher; `keys`
 * does nothing else. Several may start at once: one creates the files, the others find them. Except for `keys`, wrong
 * flags are reported by the sub-command itself.
 */
export async function prepareAlone(command: string, argv: readonly string[]): Promise<void> {
  setProcessLines(command, formatFromFlags(argv));
  const parsed = parseServerOptions(argv);
  if (parsed.errors.length > 0 && command === 'keys') {
    printFlagErrors(parsed.errors);
    process.exitCode = 1;
  }
  if (parsed.answer !== undefined && command === 'keys') process.stdout.write(parsed.answer);
  if (parsed.answer !== undefined || parsed.errors.length > 0) return;
  const options = withDataDirectoryDefaults(parsed.options, parsed.given);
  try {
    await prepareFolder(command, options, parsed.given);
  } catch (error) {
    // The folder was prepared elsewhere, such as a volume that is mounted read-only.
    const code = (error as NodeJS.ErrnoException).code;
    if (command !== 'keys' && (code === 'EROFS' || code === 'EACCES') && existsSync(options.proxyClientCertFile))
      return;
    if (!(error instanceof UnusableFileError)) throw error;
    printProcessLine(error.message);
    process.exit(unusableFileExitCode);
  }
}

/** Locks of this process on its data directory, which must not be collected as garbage. */
const held: FileLock[] = [];

/** Prepares the data directory under a lock. @throws UnusableFileError (as a rejection) */
export async function prepareFolder(command: string, options: ServerOptions, given: Given): Promise<void> {
  const { dataDir } = options;
  ensureDataFolder(dataDir, dataDirectoryRules(options));
  if (command !== 'keys') held.push(await joinDirectory(dataDir));
  const run = await socketFolder(dataDir);
  if (
    command === 'gateway' ||
    command === 'controllers' ||
    ((command === 'core' || command === 'extensions') && options.internalListenAddress === '')
  )
    held.push(await claimSocket(dataDir, processSockets(run, false)[command]));
  await withKeyLock(dataDir, async () => {
    await prepareKeys(options, given);
    if ((command === 'gateway' || command === 'keys') && options.securePort !== 0)
      writeAdminKubeconfig(options, given, serverUrl(options, options.securePort));
  });
}

/** Runs `work` while no other process makes keys in the data directory. */
export async function withKeyLock(dataDir: string, work: () => Promise<void>): Promise<void> {
  const path = join(dataDir, 'keys.lock');
  using lock = await FileLock.take(path, lockWithinMs);
  if (lock === undefined)
    throw new UnusableFileError(
      path,
      `has been locked for ${lockWithinMs / 1000} s by ${lockHolder(path) ?? 'another process'}`,
      'end that process',
    );
  await work();
}
