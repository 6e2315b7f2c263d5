import { notCounted } from './counted-as.ts';
import type { RequestContext } from './request-context.ts';

/** No route took the request: it is not counted, neither here nor by the gateway. */
export function leaveUncounted(context: RequestContext): void {
  context.countedAs = undefined;
  context.exchange.sendNote?.(notCounted);
}
