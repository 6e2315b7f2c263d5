import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { startGateway, type GatewayLinks } from '#gateway/start-gateway.ts';
import { startCore } from '#servers/core/start-core.ts';
import { startExtensions } from '#servers/extensions/start-extensions.ts';
import { prepareKeys, serverUrl, writeAdminKubeconfig } from '#servers/launcher/prepare.ts';
import { openPublicSocket } from '#servers/launcher/public-socket.ts';
import { Replicas, type ReplicatedProcess } from '#servers/launcher/replicas.ts';
import { startStore, type RunningStore } from '#servers/store/start/start-store.ts';
import { ensurePrivateFolder } from '#shared/files/private-folder.ts';
import { FollowerScope } from '#shared/follow/follower-scope.ts';
import {
  processSockets,
  withDataDirectoryDefaults,
  type ProcessOptions,
  type ProcessSockets,
} from '#shared/process/data-directory.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { HostedControllers } from './hosted-controllers.ts';
import { RequestRing } from './request-ring.ts';

/** A whole cluster in this process. */
export interface HostedCluster {
  readonly url: string;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly dataDir: string;
  /** Flags of kube-apiserver that it was started with. */
  readonly flags: readonly string[];
  readonly options: ServerOptions;
  readonly sockets: ProcessSockets;
  readonly store: Pick<RunningStore, 'mark' | 'release' | 'rollBack' | 'image' | 'adopt' | 'raiseTo'>;
  readonly controllers: Pick<HostedControllers, 'settled'>;
  /** What clients sent; undefined where it is not known. */
  readonly requests: RequestRing | undefined;
  /** Does what changes the past of the store while neither controllers nor servers write what they decided on before. */
  undisturbed<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when routes, definitions, authorizers and admission of its servers know what was stored at the call. */
  followed(): Promise<void>;
  /** Ends all servers in the launcher's order; the data stay. */
  close(): Promise<void>;
}

export interface HostedClusterOptions {
  readonly dataDir: string;
  /** Flags of kube-apiserver. */
  readonly flags: readonly string[];
  /** A folder of keys of another cluster, which this one shares. Default: it makes its own. */
  readonly pki?: string | undefined;
  /** Whether writes are on the disk before they are acknowledged. Default: true. */
  readonly flushes?: boolean;
  /** Gives the store objects before the servers start, which make what is missing. */
  readonly fill?: (store: RunningStore) => Promise<void>;
}

/**
 * Starts store, core, extensions and gateway by their start functions, as the processes of a server do, over the same
 * sockets, and waits until the API is ready.
 * @throws Error for unknown flags or values, and where a server cannot start; nothing but files is left then
 */
export async function startHostedCluster({
  dataDir,
  flags,
  pki,
  flushes = true,
  fill,
}: HostedClusterOptions): Promise<HostedCluster> {
  const parsed = parseServerOptions(['--data-dir', dataDir, '--secure-port=0', ...flags]);
  if (parsed.errors.length > 0) throw new Error(parsed.errors.join('\n'));
  const given = withDataDirectoryDefaults(parsed.options, parsed.given);
  const run = join(dataDir, 'run');
  ensurePrivateFolder(run);
  if (pki !== undefined && existsSync(pki)) cpSync(pki, join(dataDir, 'pki'), { recursive: true });
  const [publicSocket] = await Promise.all([
    openPublicSocket({ host: given.bindAddress, port: given.securePort, reusePort: given.permitPortSharing }),
    prepareKeys(given, parsed.given),
  ]);
  const options = { ...given, securePort: publicSocket?.port ?? given.securePort };
  // Beside an etcd the store stays empty, and no server knows it.
  const sockets = processSockets(run, options.etcdServers.length === 0);
  const replicas = new Replicas(options, run, sockets, publicSocket?.fd);
  const followers = new FollowerScope();
  const requests = new RequestRing();
  const ending: (() => unknown)[] = [];
  const close = async (): Promise<void> => endAll(ending.splice(0).toReversed());
  try {
    const store = await openStoreOf(dataDir, run, flushes);
    ending.push(() => store.close());
    const controllers = new HostedControllers({ server: options, sockets }, store);
    await fill?.(store);
    const gateway = await followers.run(() =>
      startServers(replicas, ending, {
        closePort: () => publicSocket?.close(),
        onRequest: (exchange) => requests.add(exchange),
      }),
    );
    await gateway.ready;
    ending.push(() => controllers.close());
    controllers.start();
    const url = serverUrl(options, gateway.port);
    return {
      url,
      kubeconfig: writeAdminKubeconfig(options, parsed.given, url),
      dataDir,
      flags,
      options,
      sockets,
      store,
      controllers,
      requests,
      undisturbed: (work) => controllers.undisturbed(() => followers.undisturbed(work)),
      followed: () => followers.current(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStoreOf(dataDir: string, run: string, flushes: boolean): Promise<RunningStore> {
  const { store: listenUnixSocket } = processSockets(run, true);
  const options = { dataDir: join(dataDir, 'store'), listenUnixSocket, unsafeNoFsync: !flushes };
  return startStore(options, (error) => {
    throw error;
  });
}

/** Ends one after the other, also when one fails. */
export async function endAll(ends: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends)
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

/** Starts the three servers, one of each. Adds to `ending` what ends those that started, also when another did not. */
export async function startServers(
  replicas: Replicas,
  ending: (() => unknown)[],
  { closePort = () => undefined, ...links }: GatewayLinks & { readonly closePort?: () => void } = {},
): ReturnType<typeof startGateway> {
  const optionsOf = (name: ReplicatedProcess): ProcessOptions => {
    const [options] = replicas.of(name);
    if (options === undefined) throw new Error(`no ${name}`);
    return { ...options, isPart: true };
  };
  const [core, extensions, gateway] = await Promise.allSettled([
    startCore(optionsOf('core')),
    startExtensions(optionsOf('extensions')),
    startGateway(optionsOf('gateway'), links),
  ]);
  const all = [core, extensions, gateway].flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const backends = [core, extensions].flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  ending.push(
    async () => Promise.all(all.map((server) => server.disconnect())),
    async () => Promise.all(backends.map((server) => server.shutdown())),
    // From its start on the gateway closes the port itself.
    gateway.status === 'fulfilled' ? async () => gateway.value.shutdown() : closePort,
  );
  for (const start of [core, extensions, gateway]) if (start.status === 'rejected') throw start.reason;
  if (gateway.status === 'rejected') throw gateway.reason;
  return gateway.value;
}
