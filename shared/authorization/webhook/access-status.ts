import { booleanAt, objectAt, stringAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import { answeredReview, type KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import type { AccessReviewVersion } from './asked-access.ts';

/** What a webhook answers. */
export interface AccessStatus {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

const [group, kind] = ['authorization.k8s.io', 'SubjectAccessReview'];
const types: ConfigurationScheme['types'] = {
  SubjectAccessReview: [['status', 0, '#SubjectAccessReviewStatus', 'e']],
  SubjectAccessReviewStatus: [
    ['allowed', 0, 'bool', ''],
    ['denied', 0, 'bool', 'e'],
    ['reason', 0, 'string', 'e'],
    ['evaluationError', 0, 'string', 'e'],
  ],
};

/** What the client of the reference knows beside the kinds of this server. */
const reviewKinds: ReadonlySet<string> = new Set(
  ['Subject', 'SelfSubject', 'LocalSubject'].map((whose) => `${whose}AccessReview`).concat('SelfSubjectRulesReview'),
);

/** @throws Error for a body that is no review of the version */
export function readAccessStatus(
  answer: CollectedAnswer,
  version: AccessReviewVersion,
  knowsKind: KnowsKind,
): AccessStatus {
  const scheme = {
    isStrict: false,
    kinds: [{ apiVersion: `${group}/${version}`, kind, struct: kind }],
    types,
  };
  const knows: KnowsKind = (itsGroup, itsVersion, itsKind) =>
    (itsGroup === group && isReviewVersion(itsVersion) && reviewKinds.has(itsKind)) ||
    knowsKind(itsGroup, itsVersion, itsKind);
  const status = objectAt(answeredReview(answer, scheme, { group, version, kind }, knows), 'status');
  return {
    allowed: booleanAt(status, 'allowed') ?? false,
    denied: booleanAt(status, 'denied') ?? false,
    reason: stringAt(status, 'reason'),
  };
}

function isReviewVersion(version: string): version is AccessReviewVersion {
  return version === 'v1' || version === 'v1beta1';
}
