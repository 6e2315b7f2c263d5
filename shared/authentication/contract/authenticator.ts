import type { Exchange } from '../../request/exchange.ts';
import type { UserInfo } from '../../request/user.ts';

/** Who a credential belongs to. */
export interface AuthenticationResult {
  readonly user: UserInfo;
  /** Which of the asked audiences the token is good for; absent where the credential names none. */
  readonly audiences?: readonly string[];
}

/** What an authenticator says: undefined when the request has no credential of its kind. */
export type AuthenticationAnswer = AuthenticationResult | undefined;

/** A credential of the authenticator's kind was there and is not good. The message goes to the log only. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
}

/** Answers at once where it can, so that the hot path has no asynchronous hop. */
export interface RequestAuthenticator {
  authenticate(exchange: Exchange): AuthenticationAnswer | Promise<AuthenticationAnswer>;
}

export interface TokenAuthenticator {
  /** `audiences`: those that are wanted; empty for the server's own. */
  authenticateToken(token: string, audiences: readonly string[]): AuthenticationAnswer | Promise<AuthenticationAnswer>;
}

export const allAuthenticated = 'system:authenticated';
export const allUnauthenticated = 'system:unauthenticated';
export const anonymousName = 'system:anonymous';
export const mastersGroup = 'system:masters';
