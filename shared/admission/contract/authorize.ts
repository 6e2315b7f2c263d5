import type { UserInfo } from '#shared/request/user.ts';

/** A question of a plugin to the server's authorizer about a user. */
export interface AccessQuestion {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** The error of a part that could not be evaluated. */
  readonly error?: string;
}

/** Calls the server's authorizer. */
export type Authorize = (user: UserInfo, question: AccessQuestion) => AccessAnswer | Promise<AccessAnswer>;
