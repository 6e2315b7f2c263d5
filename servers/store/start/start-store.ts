import type { StoreMark } from '#servers/store/mvcc/marks.ts';
import { rollBack } from '#servers/store/mvcc/roll-back.ts';
import { adoptImage, takeImage, type SameRows, type StoreImage } from '#servers/store/mvcc/store-image.ts';
import { ClusterHandlers } from '#servers/store/rpc/cluster-handlers.ts';
import { KvHandlers } from '#servers/store/rpc/kv-handlers.ts';
import { LeaseHandlers } from '#servers/store/rpc/lease-handlers.ts';
import { MaintenanceHandlers } from '#servers/store/rpc/maintenance-handlers.ts';
import type { StoreServiceDependencies } from '#servers/store/rpc/store-service-dependencies.ts';
import { StoreService } from '#servers/store/rpc/store-service.ts';
import { exitWithError } from '#shared/observability/process-lines.ts';
import { serveFrames } from '#shared/storage/etcd-wire/frame-server.ts';
import { listenFrames, writeAddressFile } from './listen-frames.ts';
import type { FrameListener } from './listen-frames.ts';
import { listenGrpc } from './listen-grpc.ts';
import { openStore } from './open-store.ts';
import type { StoreOptions } from './options.ts';

export interface RunningStore {
  /** The client URLs with the bound ports. */
  readonly clientUrls: readonly string[];
  readonly socketPath: string | undefined;
  /**
   * Marks the state now, with all writes that were acknowledged. Compactions leave what a mark needs.
   * @param keptPrefixes rollbacks leave keys that begin so as they are
   */
  mark(keptPrefixes: readonly string[]): StoreMark;
  /** Lets compactions go on; the mark cannot be used any more. */
  release(mark: StoreMark): void;
  /**
   * Gives each key that changed since the mark its value of then again, in one commit (mvcc/roll-back.ts). Resolves
   * with the number of keys that it changed.
   * @throws EtcdRpcError when the store has no room, or is damaged
   * @throws Error when the mark was released, or is another store's
   */
  rollBack(mark: StoreMark): Promise<number>;
  /**
   * An image of all that was acknowledged, without keys that begin with one of the prefixes (mvcc/store-image.ts). It
   * must be released.
   */
  image(leftOut: readonly string[]): StoreImage;
  /**
   * Gives all keys the values of an image, in one revision, and deletes the others; keys that begin with one of the
   * prefixes stay as they are. Resolves with the number of keys that it changed.
   * @param same what is known to be equal from the last image of the same store
   * @throws EtcdRpcError when the store has no room, or is damaged
   */
  adopt(image: StoreImage, leftOut: readonly string[], same?: SameRows): Promise<number>;
  /** Calls a function with each value that was written, when it is durable. Returns a function that ends that. */
  onValues(listener: (value: Buffer) => void): () => void;
  /** Goes on from a revision, if it is not beyond it, by writing one key, which nobody reads. */
  raiseTo(revision: number, key: string): Promise<void>;
  /** Resolves when no client is connected to the socket of the frame protocol. */
  unused(): Promise<void>;
  /** Closes the listeners, then finishes current writes. */
  close(): Promise<void>;
}

/**
 * Opens the data directory and serves it.
 * @param onFatal called when the disk failed during a commit: the state of the file is unknown, so the process must
 * exit
 * @throws StoreLockedError when another process uses the directory
 * @throws UnusableFileError when a file or folder cannot be used
 * @throws LogDamagedError when the file is damaged so badly that its keys cannot be trusted
 */
export async function startStore(
  options: StoreOptions,
  onFatal: (error: Error) => void = endProcess,
): Promise<RunningStore> {
  const store = await openStore(options, onFatal);
  const { dependencies, clientUrls } = store;
  const service = new StoreService(dependencies, {
    kv: new KvHandlers(dependencies),
    lease: new LeaseHandlers(dependencies),
    maintenance: new MaintenanceHandlers(dependencies),
    cluster: new ClusterHandlers(dependencies),
  });
  const frames: FrameListener[] = [];
  const closers: (() => Promise<void>)[] = [];
  const close = (): Promise<void> => store.close(() => Promise.all(closers.map((closer) => closer())));
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
      if (options.tellsAddress !== false) writeAddressFile(dependencies.file.paths.address, options.listenUnixSocket);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    clientUrls,
    socketPath: options.listenUnixSocket,
    ...withMarks(dependencies),
    onValues(listener) {
      dependencies.valueListeners.add(listener);
      return () => dependencies.valueListeners.delete(listener);
    },
    unused: async () => void (await Promise.all(frames.map((listener) => listener.unused()))),
    close,
  };
}

function withMarks({
  store,
  marks,
  lessor,
  guard,
}: StoreServiceDependencies): Pick<RunningStore, 'mark' | 'release' | 'rollBack' | 'image' | 'adopt' | 'raiseTo'> {
  return {
    mark: (keptPrefixes) => marks.set(keptPrefixes),
    release: (mark) => marks.release(mark),
    async rollBack(mark) {
      guard.checkRoom();
      return rollBack({ store, marks, hasLease: (id) => lessor.has(id) }, mark);
    },
    image: (leftOut) => takeImage({ store, marks, lessor }, leftOut),
    async adopt(image, leftOut, same) {
      guard.checkRoom();
      return adoptImage({ store, lessor }, image, leftOut, same);
    },
    async raiseTo(revision, key) {
      if (store.appliedRevision < revision) await store.write((txn) => txn.put(key, nothing, '0'), { revision });
    },
  };
}

const nothing = Buffer.alloc(0);

function endProcess(error: Error): void {
  exitWithError(
    `writing failed, so what is on the disk is unknown; ending, to start again from the file: ${error.message}`,
    1,
  );
}
