import { newUnauthorized } from '#shared/apimachinery/errors/status.ts';
import { decodeIdentity, ownIdentity } from '#shared/authentication/hop-identity.ts';
import { ageHeader } from '#shared/request/age-header.ts';
import { headerValue } from '#shared/request/header-values.ts';
import type { Filter } from '#shared/request/request-context.ts';
import { internalPrefix } from './filter-tools.ts';

/**
 * The backend's half of the trusted hop: takes the user from the headers that the gateway set. Only for exchanges of an
 * internal listener; a request without a user is an error of the gateway and is refused.
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
    // An age, since the clocks of two processes or machines do not agree.
    const ageMs = Number(headerValue(exchange, ageHeader));
    if (ageMs > 0) context.receivedAtMs -= ageMs;
    return next(context);
  };
}
