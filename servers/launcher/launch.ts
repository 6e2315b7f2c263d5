import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processLine, readyLine } from '../../shared/observability/process-lines.ts';
import { endPatienceMs } from '../../shared/server/end-patience.ts';
import { ensurePrivateFolder } from '../../shared/files/private-folder.ts';
import { processSockets, withDataDirectoryDefaults } from '../../shared/server/data-directory.ts';
import type { ProcessOptions } from '../../shared/server/data-directory.ts';
import { parseServerOptions } from '../../shared/server/options/server-options.ts';
import type { ServerOptions } from '../../shared/server/options/server-options.ts';
import type { OptionsMessage } from '../../shared/server/process-link.ts';
import { Child } from './child.ts';
import { Replicas } from './replicas.ts';
import type { ReplicatedProcess } from './replicas.ts';
import { prepareKeys, serverUrl, writeAdminKubeconfig } from './prepare.ts';

export { prepareAlone } from './prepare.ts';

/** A socket path must fit into 108 bytes of `sockaddr_un`. */
const longestRunDirectory = 90;
/** Signals within it are one. */
const sameEndMs = 500;

/** Asks a server whether it is ready (`check-health.ts`); a start does without what that loads. */
export async function checkHealth(argv: readonly string[]): Promise<void> {
  await (await import('./check-health.ts')).checkHealth(argv);
}

/** Starts everything: keys, store, core, extensions and gateway; prints one line when the API is ready. */
export async function launch(argv: readonly string[], entry: string): Promise<void> {
  const parsed = parseServerOptions(argv);
  if (parsed.answer !== undefined) return void process.stdout.write(parsed.answer);
  if (parsed.errors.length > 0) {
    process.stderr.write(parsed.errors.map((error) => `error: ${error}\n`).join(''));
    process.exitCode = 1;
    return;
  }
  const options = withDataDirectoryDefaults(parsed.options, parsed.given);
  const folder = privateRunDirectory(options.dataDir);
  if (folder === undefined) return;
  const { directory, remove } = folder;
  const embedded = options.etcdServers.length === 0;
  const sockets = processSockets(directory, embedded);
  const replicas = new Replicas(options, directory, sockets);
  const keys = prepareKeys(options, parsed.given);
  const told = (process: ProcessOptions): Promise<OptionsMessage> => keys.then(() => ({ type: 'options', options: process }));
  const start = (name: ReplicatedProcess): Child[] => replicas.of(name).map((process, index) => new Child({ name, replica: index + 1, entry, argv: [], report, message: told(process), onLost }));
  const onLost = (): void => end(1);
  const report = (line: string): void => void process.stderr.write(processLine('quarterdeck', options.loggingFormat, line));
  const store = sockets.store === undefined ? undefined : new Child({
    name: 'store', entry, report, onLost,
    argv: ['--data-dir', join(options.dataDir, 'store'), '--listen-client-urls', '', '--listen-unix-socket', sockets.store],
  });
  const [core, extensions, gateways] = [start('core'), start('extensions'), start('gateway')];
  const groups = [gateways, [...extensions, ...core], store ? [store] : []];
  const end = endInOrder(groups, options, remove);
  process.on('SIGTERM', () => end(0)).on('SIGINT', () => end(0)).on('SIGHUP', () => end(0));
  try {
    await keys;
    const [first] = await Promise.all(groups.flat().map((child) => child.ready));
    const url = serverUrl(options, Number(first?.['port']) || options.securePort);
    const kubeconfig = writeAdminKubeconfig(options, parsed.given, url);
    process.stdout.write(readyLine(options.loggingFormat, `quarterdeck is ready at ${url} after ${Math.round(performance.now())} ms, KUBECONFIG=${kubeconfig}`));
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    end(1);
  }
}

/** Undefined where the data directory is not safe, which is told in one line. */
function privateRunDirectory(dataDir: string): ReturnType<typeof runDirectory> | undefined {
  try {
    ensurePrivateFolder(dataDir, false);
    return runDirectory(dataDir);
  } catch (error) {
    process.stderr.write(`error: ${(error as Error).message}\n`);
    process.exitCode = 1;
    return undefined;
  }
}

function runDirectory(dataDir: string): { directory: string; remove: () => void } {
  const usual = join(dataDir, 'run');
  if (Buffer.byteLength(usual) <= longestRunDirectory) {
    ensurePrivateFolder(usual, true);
    return { directory: usual, remove: () => undefined };
  }
  const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-run-'));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/**
 * Gateway first, so that requests in flight still find the backends, then those, then the store. A second call ends at once,
 * unless it comes with the first: a terminal tells a whole group of processes, and some of those tell their children again.
 */
function endInOrder(groups: readonly (readonly Child[])[], options: ServerOptions, remove: () => void): (code: number) => void {
  let endingSinceMs: number | undefined;
  return (code) => {
    if (endingSinceMs !== undefined) {
      if (performance.now() - endingSinceMs < sameEndMs) return;
      for (const child of groups.flat()) child.kill();
      remove();
      process.exit(1);
    }
    endingSinceMs = performance.now();
    void (async () => {
      const patienceMs = endPatienceMs(options);
      for (const group of groups) await Promise.all(group.map((child) => child.stop(patienceMs)));
      remove();
      process.exit(code);
    })();
  };
}
