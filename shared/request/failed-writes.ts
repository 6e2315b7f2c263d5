import type { Duplex } from 'node:stream';

type Done = (error?: Error | null) => void;

/**
 * Keeps a connection readable after a failed write. A peer may send its last bytes, such as the exit code of a command,
 * and close the connection without reading further. Writes to it then fail, and Node.js destroys the socket together
 * with the received bytes that are still unread. With this function, a failed write counts as done, and the connection
 * is destroyed once it has been read to its end.
 */
export function readOnAfterFailedWrites(connection: Duplex): void {
  let failed = false;
  const guarded =
    (done: Done): Done =>
    (error) => {
      if (!failed && isFailedWrite(error) && !connection.readableEnded) {
        failed = true;
        connection.once('end', () => connection.destroy());
      }
      done(failed ? undefined : error);
    };
  const write = connection._write.bind(connection);
  connection._write = (chunk, encoding, done) => (failed ? done() : write(chunk, encoding, guarded(done)));
  const writeMany = connection._writev?.bind(connection);
  if (writeMany !== undefined)
    connection._writev = (chunks, done) => (failed ? done() : writeMany(chunks, guarded(done)));
}

function isFailedWrite(error: NodeJS.ErrnoException | null | undefined): boolean {
  return error?.syscall === 'write' && (error.code === 'EPIPE' || error.code === 'ECONNRESET');
}
