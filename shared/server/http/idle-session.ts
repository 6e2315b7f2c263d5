import type { ServerConnection } from '#shared/http2/server-connection.ts';
import { limits } from './limits.ts';

/**
 * Checks a connection that has been idle for a while. Without requests it is closed. Quiet watches stay open, as in the
 * reference, even if the client is suspended: TCP keep-alive detects whether its machine is gone. A client that does
 * not read pending bytes is disconnected, since these bytes occupy memory.
 *
 * @param requests number of requests under way
 */
export function checkIdleSession(session: ServerConnection, requests: number): void {
  if (session.destroyed) return;
  if (requests > 0) {
    if (session.isStalled) session.destroy();
    return;
  }
  // The session also waits for streams whose header fields are incomplete and that are no requests yet, hence the
  // deadline.
  const deadline = setTimeout(() => session.destroy(), limits.farewellMs).unref();
  session.close(() => clearTimeout(deadline));
}
