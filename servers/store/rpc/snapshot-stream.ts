import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup } from 'node:sqlite';
import { connectLog } from '#servers/store/mvcc/log-file.ts';
import type { ServerStream, StreamListener } from '#shared/storage/etcd-wire/service.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { storageVersion } from './maintenance-handlers.ts';
import type { StoreServiceDependencies } from './store-service-dependencies.ts';

const chunkBytes = 32 * 1024;
const copyName = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.snapshot(?:-journal)?$/;

/**
 * Removes the copies that a killed process left beside the database. The caller has the lock, so no other process is
 * writing one.
 */
export function removeCopies(databasePath: string): void {
  const database = basename(databasePath);
  for (const name of readdirSync(dirname(databasePath))) {
    if (name.startsWith(database) && copyName.test(name.slice(database.length)))
      rmSync(join(dirname(databasePath), name), { force: true });
  }
}

/**
 * One Snapshot call: sends the current database file in chunks, then its SHA-256, as etcd's clients expect. The file is
 * in this store's format (SQLite), not etcd's.
 */
export class SnapshotStream implements StreamListener<'Maintenance/Snapshot'> {
  readonly #stream: ServerStream<'Maintenance/Snapshot'>;
  readonly #dependencies: StoreServiceDependencies;
  #started = false;
  #closed = false;
  #wake: () => void = () => {};

  constructor(stream: ServerStream<'Maintenance/Snapshot'>, dependencies: StoreServiceDependencies) {
    this.#stream = stream;
    this.#dependencies = dependencies;
  }

  onMessage(): void {
    if (this.#started) return;
    this.#started = true;
    this.#run().then(
      () => this.#stream.end(),
      (error: unknown) =>
        this.#stream.end(
          new EtcdRpcError(grpcCode.internal, `snapshot: ${(error as Error).message}`, { cause: error }),
        ),
    );
  }

  onHalfClose(): void {}

  onClose(): void {
    this.#closed = true;
    this.#wake();
  }

  onDrain(): void {
    this.#wake();
  }

  async #run(): Promise<void> {
    const copy = `${this.#dependencies.file.paths.database}.${randomUUID()}.snapshot`;
    try {
      await copyDatabase(this.#dependencies.file.paths.database, copy);
      await this.#sendFile(copy);
    } finally {
      await rm(copy, { force: true });
    }
  }

  async #sendFile(path: string): Promise<void> {
    const header = this.#dependencies.header.at(this.#dependencies.store.revision);
    const digest = createHash('sha256');
    await using file = await open(path);
    let remaining = (await stat(path)).size;
    while (remaining > 0 && !this.#closed) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      if (bytesRead === 0) throw new Error('the copy of the database ended early');
      const blob = buffer.subarray(0, bytesRead);
      digest.update(blob);
      remaining -= bytesRead;
      if (!this.#stream.send({ header, remainingBytes: remaining, blob, version: storageVersion }))
        await this.#drained();
    }
    if (!this.#closed) this.#stream.send({ header, remainingBytes: 0, blob: digest.digest(), version: storageVersion });
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/**
 * Copies the database on a separate connection in one read transaction: the copy is consistent, and writers do not
 * wait.
 */
async function copyDatabase(path: string, copy: string): Promise<void> {
  const source = connectLog(path);
  try {
    source.exec('BEGIN');
    source.prepare('SELECT 1 FROM state').get();
    await backup(source, copy, { rate: 256 });
  } finally {
    source.close();
  }
}
