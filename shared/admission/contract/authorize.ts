import type { UserInfo } from '../../request/user.ts';

/** What a plugin asks of the server's authorizer about a user. */
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
  /** What could not be evaluated. */
  readonly error?: string;
}

/** Asks the server's authorizer. */
export type Authorize = (user: UserInfo, question: AccessQuestion) => AccessAnswer | Promise<AccessAnswer>;
