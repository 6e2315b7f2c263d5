import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreOptions } from '#servers/store/start/options.ts';
import type { RunningStore } from '#servers/store/start/start-store.ts';
import { startStore } from '#servers/store/start/start-store.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';

/** A store in a temporary folder, on free ports. */
export interface TemporaryStore extends AsyncDisposable {
  readonly folder: string;
  readonly store: RunningStore;
  readonly etcd: FrameTransport;
  /** Closes the store and opens it again on the same data. */
  restart(options?: Partial<StoreOptions>): Promise<TemporaryStore>;
}

export async function temporaryStore(options: Partial<StoreOptions> = {}, existing?: string): Promise<TemporaryStore> {
  const folder = existing ?? mkdtempSync(join(tmpdir(), 'quarterdeck-store-'));
  const socketPath = join(folder, 'socket');
  const store = await startStore({ dataDir: join(folder, 'data'), listenUnixSocket: socketPath, ...options });
  const etcd = new FrameTransport({ socketPath });
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    await etcd.close();
    await store.close();
  };
  return {
    folder,
    store,
    etcd,
    restart: async (changed = {}) => {
      await stop();
      return temporaryStore({ ...options, ...changed }, folder);
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
