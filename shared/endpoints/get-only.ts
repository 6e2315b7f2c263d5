import type { RequestContext } from '../request/request-context.ts';
import { routeFailure } from './routes.ts';

/**
 * For paths that are routed for GET alone, as go-restful has them; other paths of the reference do not ask for the
 * method.
 * @throws StatusError 405
 */
export function refuseOtherMethods({ exchange }: RequestContext): void {
  if (exchange.method !== 'GET') throw routeFailure(405);
}
