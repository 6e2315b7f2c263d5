import type { Exchange } from '#shared/request/exchange.ts';
import { decodePath } from '#shared/request/request-path.ts';
import type { UserInfo } from '#shared/request/user.ts';
import {
  allAuthenticated,
  allUnauthenticated,
  anonymousName,
  AuthenticationError,
  type AuthenticationAnswer,
  type AuthenticationResult,
  type RequestAuthenticator,
} from './contract/authenticator.ts';

/**
 * Calls the authenticators in turn until one knows the client. After an invalid credential the next one is called, too;
 * if none knows the client, all errors are thrown together.
 */
export function unionAuthenticator(authenticators: readonly RequestAuthenticator[]): RequestAuthenticator {
  const askFrom = (
    exchange: Exchange,
    start: number,
    errors: string[],
  ): AuthenticationAnswer | Promise<AuthenticationAnswer> => {
    for (let at = start; at < authenticators.length; at++) {
      try {
        const answer = authenticators[at]?.authenticate(exchange);
        if (answer instanceof Promise)
          return answer.then(
            (found) => found ?? askFrom(exchange, at + 1, errors),
            (error: unknown) => askFrom(exchange, at + 1, [...errors, messageOf(error)]),
          );
        if (answer !== undefined) return answer;
      } catch (error) {
        errors = [...errors, messageOf(error)];
      }
    }
    if (errors.length > 0) throw new AuthenticationError(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
    return undefined;
  };
  return { authenticate: (exchange) => askFrom(exchange, 0, []) };
}

/** Puts every known user into system:authenticated. */
export function authenticatedGroupAdder(inner: RequestAuthenticator): RequestAuthenticator {
  return {
    authenticate(exchange) {
      const answer = inner.authenticate(exchange);
      return answer instanceof Promise
        ? answer.then((found) => found && withAuthenticatedGroup(found))
        : answer && withAuthenticatedGroup(answer);
    },
  };
}

/** The same result gives the same user object, since authorizers key their caches by it. */
const extended = new WeakMap<UserInfo, UserInfo>();

export function withAuthenticatedGroup(result: AuthenticationResult): AuthenticationResult {
  const { user } = result;
  if (user.name === anonymousName || user.groups.includes(allAuthenticated) || user.groups.includes(allUnauthenticated))
    return result;
  let more = extended.get(user);
  if (!more) extended.set(user, (more = { ...user, groups: [...user.groups, allAuthenticated] }));
  return { ...result, user: more };
}

/** The user of requests without a credential. */
export const anonymous: AuthenticationResult = Object.freeze({
  user: Object.freeze({ name: anonymousName, uid: '', groups: [allUnauthenticated], extra: {} }),
});

/**
 * Authenticates requests without any credential as system:anonymous; an invalid credential stays an error.
 * @param paths those for which it does; without any, all
 */
export function withAnonymous(
  inner: RequestAuthenticator,
  paths: ReadonlySet<string> = new Set(),
): RequestAuthenticator {
  const otherwise = ({ path }: Exchange): AuthenticationAnswer =>
    paths.size === 0 || paths.has(decodePath(path)) ? anonymous : undefined;
  return {
    authenticate(exchange) {
      const answer = inner.authenticate(exchange);
      return answer instanceof Promise
        ? answer.then((found) => found ?? otherwise(exchange))
        : (answer ?? otherwise(exchange));
    },
  };
}

function messageOf(error: unknown): string {
  if (error instanceof AuthenticationError) return error.message;
  throw error;
}
