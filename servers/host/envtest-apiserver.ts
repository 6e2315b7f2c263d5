import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { envtestSocket } from '#servers/launcher/envtest-programs.ts';
import { prepareKeys } from '#servers/launcher/prepare.ts';
import { Replicas } from '#servers/launcher/replicas.ts';
import { ensurePrivateFolder } from '#shared/files/private-folder.ts';
import { exitWithError, printFlagErrors } from '#shared/observability/process-lines.ts';
import { processSockets, withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { socketFolder } from '#shared/process/socket-folder.ts';
import { letYoungGenerationGrow } from '#shared/process/young-generation.ts';
import { openLogger } from '#shared/server/open-logger.ts';
import { logStart } from '#shared/server/options/log-flags.ts';
import { parseServerOptions, type ParsedServerOptions } from '#shared/server/options/parse-server-options.ts';
import { endAll, startServers } from './hosted-cluster.ts';

/** Tests that end want no wait for clients that go on watching; data is in the etcd, which is another process. */
const endsWithinMs = 1_000;

/**
 * Runs core, extensions and gateway in this process until a signal, over an etcd: by frames where it is that of the
 * same folder of envtest's programs, by gRPC where it is any other. Where all is well it logs nothing, but for `--v=1`
 * and higher levels.
 * @param folder of envtest's programs
 */
export async function runKubeApiserver(folder: string, argv: readonly string[]): Promise<void> {
  const parsed = parseServerOptions(argv);
  if (parsed.answer !== undefined) return void process.stdout.write(parsed.answer);
  if (parsed.errors.length > 0) {
    printFlagErrors(parsed.errors);
    process.exitCode = 1;
    return;
  }
  if (parsed.options.v > 0) logStart(openLogger(parsed.options), parsed.options);
  const data = makeDataFolder(parsed);
  process.on('exit', () => data.remove());
  const ending: (() => unknown)[] = [];
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      setTimeout(() => process.exit(0), endsWithinMs);
      endAll(ending.splice(0).toReversed()).then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  try {
    const start = await prepare(folder, data.path, parsed);
    process.on('exit', () => start.remove());
    const gateway = await startServers(start.replicas, ending);
    await gateway.ready;
    letYoungGenerationGrow();
  } catch (error) {
    exitWithError(error instanceof Error ? error.message : String(error), 1);
  }
}

interface DataFolder {
  readonly path: string;
  remove(): void;
}

/** Keys and sockets are below `--cert-dir`, whose owner removes it, or in a folder that is removed at the end. */
function makeDataFolder({ options, given }: ParsedServerOptions): DataFolder {
  if (given.has('certDir')) {
    const path = join(resolve(options.certDir), 'quarterdeck');
    ensurePrivateFolder(path);
    return { path, remove: () => undefined };
  }
  const path = mkdtempSync(join(tmpdir(), 'quarterdeck-apiserver-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

interface PreparedStart {
  readonly replicas: Replicas;
  remove(): void;
}

async function prepare(folder: string, dataDir: string, parsed: ParsedServerOptions): Promise<PreparedStart> {
  const [url = '', ...others] = parsed.options.etcdServers;
  const socket = others.length === 0 ? await ownEtcd(folder, url) : undefined;
  const etcdServers = socket === undefined ? parsed.options.etcdServers : [];
  const options = withDataDirectoryDefaults({ ...parsed.options, dataDir, etcdServers }, parsed.given);
  const [run] = await Promise.all([socketFolder(dataDir), prepareKeys(options, parsed.given)]);
  const sockets = { ...processSockets(run, false), ...(socket === undefined ? {} : { store: socket }) };
  return {
    replicas: new Replicas(options, run, sockets),
    remove: () => {
      // It lies elsewhere where the data folder takes no sockets.
      if (dirname(run) !== dataDir) rmSync(run, { recursive: true, force: true });
    },
  };
}

/** The socket of the etcd at this address, if it was started by the same folder; undefined for any other etcd. */
async function ownEtcd(folder: string, url: string): Promise<string | undefined> {
  const path = envtestSocket(folder, url.includes('://') ? url : `http://${url}`);
  if (path === undefined) return undefined;
  return new Promise((tell) => {
    const probe = connect(path, () => {
      probe.destroy();
      tell(path);
    }).on('error', () => tell(undefined));
  });
}
