import { booleanAt, objectAt, stringAt, stringMapAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import { answeredReview, type KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';

/** The status of an ImageReview. */
export interface ReviewStatus {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: ReadonlyMap<string, string>;
}

const imageReview = { group: 'imagepolicy.k8s.io', version: 'v1alpha1', kind: 'ImageReview' };
const scheme: ConfigurationScheme = {
  isStrict: false,
  kinds: [{ apiVersion: 'imagepolicy.k8s.io/v1alpha1', kind: 'ImageReview', struct: 'ImageReview' }],
  types: {
    ImageReview: [['status', 0, '#ImageReviewStatus', '']],
    ImageReviewStatus: [
      ['allowed', 0, 'bool', ''],
      ['reason', 0, 'string', 'e'],
      ['auditAnnotations', 0, '{}string', 'e'],
    ],
  },
};

/** @throws Error for a body that is no ImageReview */
export function readImageReview(answer: CollectedAnswer, knowsKind: KnowsKind): ReviewStatus {
  const status = objectAt(answeredReview(answer, scheme, imageReview, knowsKind), 'status');
  return {
    allowed: booleanAt(status, 'allowed') ?? false,
    reason: stringAt(status, 'reason'),
    auditAnnotations: stringMapAt(status, 'auditAnnotations'),
  };
}
