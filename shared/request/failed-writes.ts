import type { Duplex } from 'node:stream';

type Done = (error?: Error | null) => void;

/**
 * Keeps a connection readable whose other end takes no more. Who has said all closes its end without reading on, and a
 * write to it fails then; Node.js destroys a socket for that, with everything that has come and was not read yet: the
 * last output of a command, its exit code. After this, such a write is taken for done, and the connection is destroyed
 * when what has come was read; one that was read to its end before is destroyed at once.
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
