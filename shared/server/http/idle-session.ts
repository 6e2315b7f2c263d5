import type { ServerConnection } from '../../http2/server-connection.ts';
import { limits } from './limits.ts';

/**
 * For a connection on which nothing has come or gone for a while. Without requests it is closed. Quiet watches stay, as
 * in the reference, also of a client that is suspended: TCP finds out whether its machine is there. A client that takes
 * nothing of what was sent is ended, since that lies in memory.
 *
 * @param requests that are under way
 */
export function checkIdleSession(session: ServerConnection, requests: number): void {
  if (session.destroyed) return;
  if (requests > 0) {
    if (session.isStalled) session.destroy();
    return;
  }
  // A stream whose header fields have come in part is no request yet, but the session waits for it.
  const deadline = setTimeout(() => session.destroy(), limits.farewellMs).unref();
  session.close(() => clearTimeout(deadline));
}
