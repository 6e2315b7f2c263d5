import {
  localSubjectAccessReviewResource,
  selfSubjectAccessReviewResource,
  selfSubjectRulesReviewResource,
  subjectAccessReviewResource,
} from './reviews.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const authorizationResources: readonly BuiltInResource[] = [
  localSubjectAccessReviewResource,
  selfSubjectAccessReviewResource,
  selfSubjectRulesReviewResource,
  subjectAccessReviewResource,
];
