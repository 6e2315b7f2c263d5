import { newBadRequest, newInternalError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { trimSpace } from '#shared/apimachinery/text/trim-space.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import {
  AuthenticationError,
  type AuthenticationAnswer,
  type TokenAuthenticator,
} from '#shared/authentication/contract/authenticator.ts';
import { anonymous, withAuthenticatedGroup } from '#shared/authentication/union.ts';
import type { Creator } from '#shared/registry/rest.ts';
import type { UserInfo } from '#shared/request/user.ts';

const unknownToken = 'invalid bearer token';

/** SelfSubjectReview: who am I? */
export const selfSubjectReview: Creator = (review, context) =>
  Promise.resolve({
    apiVersion: review.apiVersion ?? '',
    kind: review.kind ?? '',
    metadata: { creationTimestamp: timeFromMs(context.nowMs) },
    status: { userInfo: userInfo(context.user) },
  });

/**
 * TokenReview: whose token is this? The reference puts the token into an Authorization header: the token ends at the
 * first space, and a token that is empty then counts as a request without a credential, which may be anonymous
 * (`letsAnonymousIn`).
 */
export function tokenReview(
  tokens: TokenAuthenticator,
  apiAudiences: readonly string[],
  letsAnonymousIn: boolean,
): Creator {
  return async (review) => {
    const given = stringAt(review, 'spec', 'token');
    if (given === '') throw newBadRequest('token is required for TokenReview in authentication');
    const asked = stringsAt(review, 'spec', 'audiences');
    const audiences = asked.length === 0 ? apiAudiences : asked;
    let answer: AuthenticationAnswer;
    try {
      const [, token = ''] = trimSpace(`Bearer ${given}`).split(' ', 2);
      if (token === '') answer = letsAnonymousIn ? { ...anonymous, audiences } : undefined;
      else answer = await tokens.authenticateToken(token, audiences);
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      return refused(review, bothErrors(error.message));
    }
    if (answer === undefined) return refused(review, unknownToken);
    const { user, audiences: matching = [] } = withAuthenticatedGroup(answer);
    if (audiences.length > 0 && new Set(audiences).isDisjointFrom(new Set(matching)))
      throw newInternalError('error validating audiences');
    const status: JsonObject = { ...objectAt(review, 'status'), authenticated: true, user: userInfo(user) };
    if (matching.length > 0) status['audiences'] = [...matching];
    return { ...review, status };
  };
}

/** Keeps the members of the sent status that the answer does not replace. */
function refused(review: KubeObject, error: string): KubeObject {
  const { authenticated: _authenticated, ...sent } = objectAt(review, 'status') ?? {};
  return { ...review, status: { user: {}, ...sent, error } };
}

/**
 * Combines the errors of two authenticators, as the reference has: the first, for its own loopback, never knows the
 * token.
 */
function bothErrors(message: string): string {
  return message === unknownToken ? message : `[${unknownToken}, ${message}]`;
}

function userInfo(user: UserInfo): JsonObject {
  const info: JsonObject = { username: user.name };
  if (user.uid !== '') info['uid'] = user.uid;
  if (user.groups.length > 0) info['groups'] = [...user.groups];
  const extra = Object.entries(user.extra);
  if (extra.length > 0) info['extra'] = Object.fromEntries(extra.map(([key, values]) => [key, [...values]]));
  return info;
}
