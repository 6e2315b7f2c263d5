import { newUnauthorized } from '../apimachinery/status.ts';
import { headerValue } from '../request/header-values.ts';
import type { Filter } from '../request/request-context.ts';
import { decodeIdentity, ownIdentity } from '../authentication/hop-identity.ts';
import { internalPrefix } from './filter-tools.ts';

/**
 * The backend's half of the trusted hop: who asks is what the gateway found out. Only for exchanges of an internal
 * listener; a request without a user there is the gateway's mistake and is refused.
 */
export function withTrustedIdentity(): Filter {
  return (next) => (context) => {
    const { exchange } = context;
    if (exchange.trust !== 'internal') throw newUnauthorized('identity headers are not believed here');
    const identity =
      decodeIdentity(exchange) ?? (context.info.path.startsWith(internalPrefix) ? ownIdentity : undefined);
    if (identity === undefined) throw newUnauthorized('Unauthorized');
    context.user = identity.user;
    if (identity.impersonator !== undefined) context.impersonator = identity.impersonator;
    const received = headerValue(exchange, 'x-quarterdeck-received-at');
    if (received !== '') context.receivedAtMs = Number(received) || context.receivedAtMs;
    return next(context);
  };
}
