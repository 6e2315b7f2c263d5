import { defineBuiltIn, type BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import type { AuthorizationSystem } from '#shared/authorization/create-authorizer.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
} from '#shared/authorization/reviews/access-reviews.ts';
import type { Creator } from '#shared/registry/rest.ts';

/** Calls `make` at each review, because the authorization system is created after the resources. */
function defineReview(resource: string, make: (system: AuthorizationSystem) => Creator): BuiltInResource {
  return defineBuiltIn({
    group: 'authorization.k8s.io',
    resource,
    creator:
      ({ authorization }) =>
      (object, context) =>
        make(authorization())(object, context),
  });
}

export const localSubjectAccessReviewResource = defineReview('localsubjectaccessreviews', ({ authorizer }) =>
  localSubjectAccessReview(authorizer),
);
export const selfSubjectAccessReviewResource = defineReview('selfsubjectaccessreviews', ({ authorizer }) =>
  selfSubjectAccessReview(authorizer),
);
export const selfSubjectRulesReviewResource = defineReview('selfsubjectrulesreviews', ({ resolver }) =>
  selfSubjectRulesReview(resolver),
);
export const subjectAccessReviewResource = defineReview('subjectaccessreviews', ({ authorizer }) =>
  subjectAccessReview(authorizer),
);
