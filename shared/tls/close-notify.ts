import type { TLSSocket } from 'node:tls';

/** How long a peer that takes no bytes may hold a connection that is being destroyed. */
export const farewellMs = 1_000;

/** The part of node:net that receives bytes, also for a stream that is destroyed already. */
interface WithHandle {
  readonly _handle?: { onread: () => void; readStop(): void } | null;
}

/**
 * Makes `destroy` of a server's TLS connection tell the peer first that it ends (close_notify, RFC 8446 section 6.1),
 * as every close of Go's crypto/tls does. Without it, OpenSSL, rustls and GnuTLS report an end that an attacker could
 * have caused. It covers whoever destroys the connection: limits, shutdown, and node:http at the end of an idle one.
 *
 * The stream is destroyed at once: nothing more is read or written. A connection with bytes that its peer does not read
 * is closed without a farewell, as in Go, and any other after {@link farewellMs} at the latest.
 */
export function sendCloseNotify(socket: TLSSocket & WithHandle): void {
  const close = socket._destroy.bind(socket);
  const bidFarewell = (done: () => void): void => {
    if (socket.writableLength > 0) return done();
    const timer = setTimeout(done, farewellMs).unref();
    // Of a TLS socket, `_final` sends close_notify and ends the sending half.
    socket._final(() => {
      clearTimeout(timer);
      done();
    });
  };
  socket._destroy = (error, done) => {
    let isClosed = false;
    const closeOnce = (): void => {
      if (!isClosed) close(error, done);
      isClosed = true;
    };
    if (socket._handle) ignoreBytes(socket._handle);
    if (socket.writableEnded) closeOnce();
    else if (socket.writableLength === 0) bidFarewell(closeOnce);
    // The completion of a write that the system has taken is reported in the next turn of the event loop.
    else setImmediate(() => setImmediate(bidFarewell, closeOnce));
  };
}

/**
 * Node.js takes the number of bytes that arrive for a destroyed stream for an error code, and throws. Those that are
 * decrypted already come in spite of `readStop`.
 */
function ignoreBytes(handle: NonNullable<WithHandle['_handle']>): void {
  handle.readStop();
  handle.onread = () => undefined;
}
