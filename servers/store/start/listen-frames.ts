import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { resolve } from 'node:path';
import { isFullDisk } from '#servers/store/mvcc/durable-tip.ts';
import { asUnusableFile, usingFile } from '#shared/files/unusable-file.ts';

/** The socket by which this project's own processes use the store. */
export interface FrameListener {
  /** Resolves when no client is connected. */
  unused(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Listens on a socket. The data directory is locked, so an existing socket file is left over from an ended process and
 * is removed.
 */
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
    server.once('error', (error) => reject(asUnusableFile(path, error) as Error));
    server.listen(path, listening);
  });
  // Without a free file descriptor a new connection fails; existing ones continue.
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
 * Writes the path of the store's socket to a file, for the store's commands. On a full disk that of an earlier process
 * may remain, which is mostly the same.
 */
export function writeAddressFile(path: string, socketPath: string): void {
  try {
    writeFileSync(path, `${resolve(socketPath)}\n`, { mode: 0o600 });
  } catch (error) {
    if (!isFullDisk((error as NodeJS.ErrnoException).code)) throw error;
  }
}
