import type { ServerConnection } from '../../http2/server-connection.ts';
import { limits } from './limits.ts';

/**
 * For a connection on which nothing has come or gone for a while. Without requests it is closed; beside quiet watches a ping
 * finds out whether the client is still there.
 *
 * @param requests that are under way
 */
export function checkIdleSession(session: ServerConnection, requests: number): void {
  if (session.destroyed) return;
  if (requests > 0) {
    destroyAfter(session, limits.pingTimeoutMs, (done) => session.ping(done));
    return;
  }
  // A stream whose header fields have come in part is no request yet, but the session waits for it.
  destroyAfter(session, limits.farewellMs, (done) => session.close(() => done(null)));
}

/** Destroys the session where what is begun is not done in time, or fails. */
function destroyAfter(session: ServerConnection, withinMs: number, begin: (done: (error: Error | null) => void) => void): void {
  const deadline = setTimeout(() => session.destroy(), withinMs).unref();
  begin((error) => {
    clearTimeout(deadline);
    if (error) session.destroy();
  });
}
