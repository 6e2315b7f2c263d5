import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readCertificateFile, readPair } from '../../../shared/files/key-files.ts';
import { asUnfitFile, usingFile } from '../../../shared/files/unfit-file.ts';
import { endProcessBecause, sayOfProcess } from '../../../shared/observability/process-lines.ts';
import { serveFrames } from '../../../shared/storage/etcd-wire/frame-server.ts';
import { Lessor } from '../lease/lessor.ts';
import { startAutoCompaction } from './auto-compaction.ts';
import { CommitThread } from '../mvcc/commit-thread.ts';
import { Compactor } from '../mvcc/compactor.ts';
import { isFullDisk } from '../mvcc/durable-tip.ts';
import { loadState } from '../mvcc/load-state.ts';
import type { LoadedState } from '../mvcc/load-state.ts';
import { openLogFile } from '../mvcc/log-file.ts';
import type { LogFile } from '../mvcc/log-file.ts';
import { SpaceGuard } from '../mvcc/space-guard.ts';
import { reserveBytesFor } from '../mvcc/space-reserve.ts';
import { MvccStore } from '../mvcc/store.ts';
import { damageRemedy } from '../mvcc/log-damage.ts';
import type { StoreOptions, StoreTls } from './options.ts';
import { AnswerHeader } from '../rpc/answer-header.ts';
import { ClusterHandlers } from '../rpc/cluster-handlers.ts';
import type { GrpcTls } from '../rpc/grpc-server.ts';
import { KvHandlers } from '../rpc/kv-handlers.ts';
import { LeaseHandlers } from '../rpc/lease-handlers.ts';
import { MaintenanceHandlers } from '../rpc/maintenance-handlers.ts';
import { removeCopies } from '../rpc/snapshot-stream.ts';
import type { StoreServiceParts } from '../rpc/store-parts.ts';
import { StoreService } from '../rpc/store-service.ts';
import { WatchHub } from '../watch/watch-hub.ts';

const defaultQuotaBytes = 2 * 1024 ** 3;
const defaultRecentBytes = 8 * 1024 ** 2;
const leaseCheckMs = 500;
/** Rows that get their checksums in one commit, and the pause behind it. */
const sealedRows = 500;
const sealPauseMs = 20;

const damageConsequence = 'What is damaged is not served, and writes are refused until the alarm CORRUPT is cleared.';

export interface RunningStore {
  /** With the ports that were bound. */
  readonly clientUrls: readonly string[];
  readonly socketPath: string | undefined;
  /** Resolves when nobody is connected to the socket of the frame protocol. */
  unused(): Promise<void>;
  /** Stops answering, then finishes what is being written. */
  close(): Promise<void>;
}

/**
 * Opens the data directory and serves it.
 * @param onFatal called when the disk failed in the midst of a commit: what is stored is unknown, so the process must
 *   end
 * @throws StoreLockedError when another process has the directory
 * @throws UnfitFileError when a file or folder cannot be used
 * @throws LogDamagedError when the file is damaged so that not even its keys can be trusted
 */
export async function startStore(
  options: StoreOptions,
  onFatal: (error: Error) => void = endProcess,
): Promise<RunningStore> {
  const file = openLogFile(options.dataDir);
  removeCopies(file.paths.database);
  // Its thread starts while the index is read.
  const reserveBytes = options.reserveBytes ?? reserveBytesFor(options.dataDir);
  const thread = new CommitThread({
    databasePath: file.location,
    tipPath: file.paths.tip,
    reservePath: file.paths.reserve,
    reserveBytes,
  });
  const state = await loadOrClose(file, thread);
  const lessor = new Lessor();
  let parts: StoreServiceParts;
  const store = new MvccStore(
    state,
    thread,
    {
      onChanges: (changes) => parts.hub.publish(changes),
      onLeaseOfKey: (key, from, to) => lessor.moveKey(key, from, to),
      onDiskFull: () => parts.guard.diskFull(),
      onDamage: (detail) => {
        const first = parts.guard.alarms.includes('CORRUPT') ? '' : `. ${damageConsequence} ${damageRemedy}`;
        sayOfProcess(`${file.paths.database} is damaged: ${detail}${first}`, 'store');
        void parts.guard.raise('CORRUPT');
      },
      onFatal,
    },
    options.recentValueBytes ?? defaultRecentBytes,
  );
  lessor.start(store, state.leases);
  const clientUrls: string[] = [];
  const quota = options.quotaBackendBytes ?? 0;
  parts = {
    file,
    store,
    lessor,
    hub: new WatchHub(store),
    guard: new SpaceGuard(store, {
      quotaBytes: quota === 0 ? defaultQuotaBytes : quota,
      alarms: state.alarms,
      databasePath: file.paths.database,
      reserveBytes,
      say: (line) => sayOfProcess(line, 'store'),
    }),
    compactor: new Compactor(store),
    header: new AnswerHeader(file.state.clusterId, file.state.memberId),
    clientUrls: () => options.advertiseClientUrls ?? clientUrls,
  };
  if (file.isDiskFull) parts.guard.diskFull();
  const service = new StoreService(parts, {
    kv: new KvHandlers(parts),
    lease: new LeaseHandlers(parts),
    maintenance: new MaintenanceHandlers(parts),
    cluster: new ClusterHandlers(parts),
  });
  const leaseTimer = setInterval(() => void lessor.expire(), leaseCheckMs);
  const stopAutoCompaction =
    options.autoCompaction === undefined
      ? () => {}
      : startAutoCompaction(options.autoCompaction, store, parts.compactor);
  void parts.compactor.resume();
  const stopSealing = startSealing(store);

  const frames: FrameListener[] = [];
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    clearInterval(leaseTimer);
    stopAutoCompaction();
    stopSealing();
    parts.hub.close();
    await Promise.all(closers.map((closer) => closer()));
    await parts.compactor.stop();
    await parts.guard.close();
    await store.idle();
    try {
      await thread.close();
    } finally {
      file.close();
    }
  };
  try {
    for (const url of options.listenClientUrls ?? []) {
      const server = await listenGrpc(service, url, options.tls);
      clientUrls.push(server.url);
      closers.push(() => server.close());
    }
    if (options.listenUnixSocket !== undefined) {
      const listener = await listenFrames(options.listenUnixSocket, (socket) => serveFrames(socket, service));
      frames.push(listener);
      closers.push(() => listener.close());
      if (options.tellsAddress !== false) tellAddress(file.paths.address, options.listenUnixSocket);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    clientUrls,
    socketPath: options.listenUnixSocket,
    unused: async () => void (await Promise.all(frames.map((listener) => listener.unused()))),
    close,
  };
}

/** On a full disk the address of a former process may stay: most are the same. */
function tellAddress(path: string, socketPath: string): void {
  try {
    writeFileSync(path, `${resolve(socketPath)}\n`, { mode: 0o600 });
  } catch (error) {
    if (!isFullDisk((error as NodeJS.ErrnoException).code)) throw error;
  }
}

function endProcess(error: Error): void {
  endProcessBecause(
    `writing failed, so what is on the disk is unknown; ending, to start again from the file: ${error.message}`,
    1,
  );
}

/** A thread that stayed would keep the process from ending. */
async function loadOrClose(file: LogFile, thread: CommitThread): Promise<LoadedState> {
  try {
    return loadState(file);
  } catch (error) {
    await thread.close().catch(() => {});
    file.close();
    throw error;
  }
}

/** Gives the rows of a file of format 1 their checksums, between other work. @returns stops it */
function startSealing(store: MvccStore): () => void {
  const stopped = new AbortController();
  const run = async (): Promise<void> => {
    while (!store.sizes.sealed && !stopped.signal.aborted) {
      await pause(sealPauseMs, undefined, { signal: stopped.signal });
      await store.maintain({ kind: 'seal', rows: sealedRows });
    }
  };
  run().catch((error: unknown) => {
    if (stopped.signal.aborted) return;
    sayOfProcess(`rows without checksums are left until the next start: ${(error as Error).message}`, 'store');
  });
  return () => stopped.abort();
}

/** Behind gRPC is node:http2, which is loaded only where somebody else than our own processes may ask. */
async function listenGrpc(
  service: StoreService,
  url: string,
  tls: StoreTls | undefined,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { GrpcServer } = await import('../rpc/grpc-server.ts');
  const { protocol, hostname, port } = new URL(url);
  const server = new GrpcServer(service, protocol === 'https:' ? readTls(tls) : undefined);
  const bound = await server
    .listen(hostname.replace(/^\[|\]$/g, ''), port === '' ? 2379 : Number(port))
    .catch((error: unknown) => {
      throw new Error(
        `${url} cannot be listened on (${(error as NodeJS.ErrnoException).code ?? String(error)}): end what listens there, or name another address with --listen-client-urls`,
        { cause: error },
      );
    });
  return { url: `${protocol}//${hostname}:${bound}`, close: () => server.close() };
}

function readTls(tls: StoreTls | undefined): GrpcTls {
  if (tls === undefined) throw new Error('https addresses need a certificate and a key');
  const remedy = 'name a certificate and its own key with --cert-file and --key-file';
  readPair(tls.certFile, tls.keyFile, remedy);
  if (tls.trustedCaFile !== undefined)
    readCertificateFile(tls.trustedCaFile, 'name the certificates of authorities with --trusted-ca-file');
  return {
    cert: readFileSync(tls.certFile),
    key: readFileSync(tls.keyFile),
    ...(tls.trustedCaFile === undefined ? {} : { ca: readFileSync(tls.trustedCaFile) }),
    requestCert: tls.clientCertAuth,
    rejectUnauthorized: tls.clientCertAuth,
  };
}

interface FrameListener {
  unused(): Promise<void>;
  close(): Promise<void>;
}

/** The data directory's lock says that no other process serves it, so a socket file there is a dead process's. */
async function listenFrames(path: string, serve: (socket: Socket) => void): Promise<FrameListener> {
  usingFile(path, () => rmSync(path, { force: true }));
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
    serve(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(asUnfitFile(path, error) as Error));
    server.listen(path, resolve);
  });
  // No file is left for one more connection: the others go on.
  server.on('error', () => undefined);
  chmodSync(path, 0o600);
  return {
    async unused() {
      if (sockets.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
