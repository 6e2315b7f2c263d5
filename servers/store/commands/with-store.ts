import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { logPaths, StoreLockedError } from '#servers/store/mvcc/log-file.ts';
import { startStore } from '#servers/store/start/start-store.ts';
import { makeTemporaryFolder } from '#shared/files/temporary-folders.ts';
import { UnusableFileError, usingFile } from '#shared/files/unusable-file.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';

const socketName = 'socket';

/**
 * Calls the API of the store of a data directory: through its socket if it is running, else in a store that is started
 * for this call on a private socket.
 * @throws UnusableFileError when there is no store, or the socket in the address file of a running store does not exist
 */
export async function withStore<T>(dataDir: string, work: (etcd: EtcdTransport) => Promise<T>): Promise<T> {
  const paths = logPaths(dataDir);
  if (!existsSync(paths.database))
    throw new UnusableFileError(paths.database, 'does not exist', 'name the directory of a store with --data-dir');
  const folder = makeTemporaryFolder('quarterdeck-store-', socketName.length);
  try {
    const socketPath = join(folder, socketName);
    const store = await startStore({ dataDir, listenUnixSocket: socketPath, tellsAddress: false }).catch(
      (error: unknown) => {
        if (error instanceof StoreLockedError) return undefined;
        throw error;
      },
    );
    const etcd = new FrameTransport({ socketPath: store === undefined ? runningSocket(paths.address) : socketPath });
    try {
      return await work(etcd);
    } finally {
      await etcd.close();
      await store?.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runningSocket(addressPath: string): string {
  const socketPath = usingFile(addressPath, () => readFileSync(addressPath, 'utf8')).trim();
  if (!existsSync(socketPath))
    throw new UnusableFileError(
      addressPath,
      `names ${socketPath}, which does not exist`,
      'start the store that runs on this directory anew, or end it',
    );
  return socketPath;
}
