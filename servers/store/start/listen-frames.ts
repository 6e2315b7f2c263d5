import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { resolve } from 'node:path';
import { asUnfitFile, usingFile } from '../../../shared/files/unfit-file.ts';
import { isFullDisk } from '../mvcc/durable-tip.ts';

/** The socket on which this project's own processes ask the store. */
export interface FrameListener {
  /** Resolves when nobody is connected. */
  unused(): Promise<void>;
  close(): Promise<void>;
}

/** The data directory's lock says that no other process serves it, so a socket file there is a dead process's. */
export async function listenFrames(path: string, serve: (socket: Socket) => void): Promise<FrameListener> {
  usingFile(path, () => rmSync(path, { force: true }));
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) for (const wake of waiting.splice(0)) wake();
    });
    serve(socket);
  });
  await new Promise<void>((listening, reject) => {
    server.once('error', (error) => reject(asUnfitFile(path, error) as Error));
    server.listen(path, listening);
  });
  // No file is left for one more connection: the others go on.
  server.on('error', () => undefined);
  chmodSync(path, 0o600);
  return {
    async unused() {
      if (sockets.size > 0) await new Promise<void>((wake) => waiting.push(wake));
    },
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/**
 * Writes where the store is asked, for its commands. On a full disk the address of a former process may stay: most are
 * the same.
 */
export function tellAddress(path: string, socketPath: string): void {
  try {
    writeFileSync(path, `${resolve(socketPath)}\n`, { mode: 0o600 });
  } catch (error) {
    if (!isFullDisk((error as NodeJS.ErrnoException).code)) throw error;
  }
}
