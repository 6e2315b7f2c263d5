import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import {
  localSubjectAccessReviewResource,
  selfSubjectAccessReviewResource,
  selfSubjectRulesReviewResource,
  subjectAccessReviewResource,
} from './reviews.ts';

export const authorizationResources: readonly BuiltInResource[] = [
  localSubjectAccessReviewResource,
  selfSubjectAccessReviewResource,
  selfSubjectRulesReviewResource,
  subjectAccessReviewResource,
];
