import type { RequestContext } from '#shared/request/request-context.ts';
import { routeFailure } from './routes.ts';

/**
 * Refuses other methods on paths that go-restful routes for GET alone; the reference's other paths do not check the
 * method.
 * @throws StatusError 405
 */
export function refuseOtherMethods({ exchange }: RequestContext): void {
  if (exchange.method !== 'GET') throw routeFailure(405);
}
