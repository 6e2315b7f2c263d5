import type { FieldSelector } from '#shared/apimachinery/selectors/fields.ts';
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
  /** The selected objects that the question is about; absent for all. */
  readonly fieldSelector?: FieldSelector | undefined;
}

/** A question about a path that is no resource. */
export interface PathQuestion {
  readonly verb: string;
  readonly path: string;
}

export interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  /** The error of a part that could not be evaluated. */
  readonly error?: string;
}

/** Calls the server's authorizer. */
export type Authorize = (user: UserInfo, question: AccessQuestion) => AccessAnswer | Promise<AccessAnswer>;

/** As {@link Authorize}, for expressions, which may also ask about paths. */
export type AuthorizeAccess = (
  user: UserInfo,
  question: AccessQuestion | PathQuestion,
) => AccessAnswer | Promise<AccessAnswer>;
