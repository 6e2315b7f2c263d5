import { AuthenticationError, type AuthenticationAnswer, type TokenAuthenticator } from './contract/authenticator.ts';

/** Calls the token authenticators in turn; errors count only if none knows the token. */
export function unionTokenAuthenticator(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  const askFrom = (
    token: string,
    audiences: readonly string[],
    start: number,
    first?: AuthenticationError,
  ): AuthenticationAnswer | Promise<AuthenticationAnswer> => {
    for (let at = start; at < authenticators.length; at++) {
      try {
        const answer = authenticators[at]?.authenticateToken(token, audiences);
        if (answer instanceof Promise) {
          return answer.then(
            (found) => found ?? askFrom(token, audiences, at + 1, first),
            (error: unknown) => askFrom(token, audiences, at + 1, first ?? expected(error)),
          );
        }
        if (answer !== undefined) return answer;
      } catch (error) {
        first ??= expected(error);
      }
    }
    if (first) throw first;
    return undefined;
  };
  return { authenticateToken: (token, audiences) => askFrom(token, audiences, 0) };
}

function expected(error: unknown): AuthenticationError {
  if (error instanceof AuthenticationError) return error;
  throw error;
}
