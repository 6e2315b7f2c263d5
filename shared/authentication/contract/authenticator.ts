import type { Exchange } from '#shared/request/exchange.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** Annotations of the request's audit events: keys and values. */
export type Annotations = readonly (readonly [key: string, value: string])[];

/** The user to whom a credential belongs. */
export interface AuthenticationResult {
  readonly user: UserInfo;
  /** The requested audiences for which the token is valid; absent if the credential names none. */
  readonly audiences?: readonly string[];
  /** What the client is to be told in Warning headers, with each request. */
  readonly warnings?: readonly string[];
  readonly annotations?: Annotations;
}

/** The answer of an authenticator; undefined if the request has no credential of its kind. */
export type AuthenticationAnswer = AuthenticationResult | undefined;

/** The request has a credential of the authenticator's kind that is not valid. The message goes to the log only. */
export class AuthenticationError extends Error {
  override readonly name = 'AuthenticationError';
  readonly annotations: Annotations;

  constructor(message?: string, options: ErrorOptions & { readonly annotations?: Annotations } = {}) {
    super(message, options);
    this.annotations = options.annotations ?? [];
  }
}

/** Answers synchronously if it can, so that the hot path has no asynchronous hop. */
export interface RequestAuthenticator {
  authenticate(exchange: Exchange): AuthenticationAnswer | Promise<AuthenticationAnswer>;
}

export interface TokenAuthenticator {
  /** `audiences`: the requested audiences; empty for the server's own. */
  authenticateToken(token: string, audiences: readonly string[]): AuthenticationAnswer | Promise<AuthenticationAnswer>;
}

export const allAuthenticated = 'system:authenticated';
export const allUnauthenticated = 'system:unauthenticated';
export const anonymousName = 'system:anonymous';
export const mastersGroup = 'system:masters';
