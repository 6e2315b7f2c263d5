import { isObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { answeredReview, type KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';

/** Versions of authentication.k8s.io in which a webhook can be asked. */
export const tokenReviewVersions = ['v1', 'v1beta1'] as const;
export type TokenReviewVersion = (typeof tokenReviewVersions)[number];

/** The status of a TokenReview. */
export interface TokenReviewStatus {
  readonly isAuthenticated: boolean;
  readonly user: UserInfo;
  readonly audiences: readonly string[];
  readonly error: string;
}

const group = 'authentication.k8s.io';

function schemeOf(version: TokenReviewVersion): ConfigurationScheme {
  return {
    isStrict: false,
    kinds: [{ apiVersion: `${group}/${version}`, kind: 'TokenReview', struct: 'TokenReview' }],
    types: {
      TokenReview: [['status', 0, '#TokenReviewStatus', '']],
      TokenReviewStatus: [
        ['authenticated', 0, 'bool', 'e'],
        ['user', 0, '#UserInfo', ''],
        ['audiences', 0, '[]string', 'e'],
        ['error', 0, 'string', 'e'],
      ],
      UserInfo: [
        ['username', 0, 'string', 'e'],
        ['uid', 0, 'string', 'e'],
        ['groups', 0, '[]string', 'e'],
        ['extra', 0, '{}[]string', 'e', { t: `map[string]${version}.ExtraValue` }],
      ],
    },
  };
}

const schemes = { v1: schemeOf('v1'), v1beta1: schemeOf('v1beta1') };

/** The review that asks for a token. */
export function tokenReviewOf(version: TokenReviewVersion, token: string, audiences: readonly string[]): string {
  const review = {
    kind: 'TokenReview',
    apiVersion: `${group}/${version}`,
    metadata: {},
    spec: { token, ...(audiences.length > 0 && { audiences }) },
    status: { user: {} },
  };
  return `${JSON.stringify(review)}\n`;
}

/** @throws Error for a body that is no TokenReview of the version */
export function readTokenReview(
  answer: CollectedAnswer,
  version: TokenReviewVersion,
  knowsKind: KnowsKind,
): TokenReviewStatus {
  const asked = { group, version, kind: 'TokenReview' };
  const status = objectAt(answeredReview(answer, schemes[version], asked, knowsKind), 'status');
  const user = objectAt(status, 'user');
  const extra = user?.['extra'];
  const names = isObject(extra) ? Object.keys(extra) : [];
  return {
    isAuthenticated: booleanAt(status, 'authenticated') ?? false,
    user: {
      name: stringAt(user, 'username'),
      uid: stringAt(user, 'uid'),
      groups: stringsAt(user, 'groups'),
      extra: Object.fromEntries(names.map((name) => [name, stringsAt(user, 'extra', name)])),
    },
    audiences: stringsAt(status, 'audiences'),
    error: stringAt(status, 'error'),
  };
}
