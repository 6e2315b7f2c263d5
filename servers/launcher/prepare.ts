import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureDataFolder } from '#shared/files/data-folder.ts';
import { readPair, readPrivateKey } from '#shared/files/key-files.ts';
import { ensurePrivateFolder } from '#shared/files/private-folder.ts';
import { asUnusableFile, UnusableFileError, unusableFileExitCode } from '#shared/files/unusable-file.ts';
import {
  formatFromFlags,
  printProcessLine,
  printFlagErrors,
  setProcessLines,
} from '#shared/observability/process-lines.ts';
import {
  dataDirectoryRules,
  pkiPaths,
  servingPair,
  withDataDirectoryDefaults,
} from '#shared/process/data-directory.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { writeKubeconfig } from './pki/kubeconfig.ts';
import { ensureCertificates, ensureServiceAccountKeys, ensureServingPair } from './pki/pki.ts';
import { servingHosts } from './serving-hosts.ts';

type Given = ReadonlySet<keyof ServerOptions>;

const lockPauseMs = 20;
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
  const everywhere = options.bindAddress === '0.0.0.0' || options.bindAddress === '::';
  const host = everywhere ? '127.0.0.1' : options.bindAddress;
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

/** Prepares the data directory under a lock. @throws UnusableFileError (as a rejection) */
export async function prepareFolder(command: string, options: ServerOptions, given: Given): Promise<void> {
  const run = join(options.dataDir, 'run');
  ensureDataFolder(options.dataDir, dataDirectoryRules(options));
  ensurePrivateFolder(run);
  await locked(join(options.dataDir, 'prepare.lock'), async () => {
    await prepareKeys(options, given);
    if ((command === 'gateway' || command === 'keys') && options.securePort !== 0)
      writeAdminKubeconfig(options, given, serverUrl(options, options.securePort));
  });
}

/** Runs `work` under a lock file that excludes other processes. A lock whose process is gone is ignored. */
async function locked(path: string, work: () => Promise<void>): Promise<void> {
  const until = performance.now() + lockWithinMs;
  while (!take(path)) {
    if (performance.now() > until)
      throw new Error(
        `${path} has been held for ${lockWithinMs / 1000} s: if no other process prepares this folder, remove it`,
      );
    await sleep(lockPauseMs);
  }
  try {
    await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      // On a full disk the lock file may have been created, but not written.
      rmSync(path, { force: true });
      throw asUnusableFile(path, error);
    }
  }
  if (isHeld(path)) return false;
  rmSync(path, { force: true });
  return false;
}

function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // The file is empty: its process is just writing it.
    if (pid === 0) return true;
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
