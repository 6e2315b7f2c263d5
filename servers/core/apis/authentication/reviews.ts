import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { selfSubjectReview, tokenReview } from '#shared/authentication/reviews/authentication-reviews.ts';

const group = 'authentication.k8s.io';

export const selfSubjectReviewResource = defineBuiltIn({
  group,
  resource: 'selfsubjectreviews',
  creator: () => selfSubjectReview,
});

export const tokenReviewResource = defineBuiltIn({
  group,
  resource: 'tokenreviews',
  creator: ({ authentication: { tokens, apiAudiences, letsAnonymousIn } }) =>
    tokenReview(tokens, apiAudiences, letsAnonymousIn),
});
