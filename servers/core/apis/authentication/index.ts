import { selfSubjectReviewResource, tokenReviewResource } from './reviews.ts';
import type { BuiltInResource } from '../contract/built-in-resource.ts';

export const authenticationResources: readonly BuiltInResource[] = [selfSubjectReviewResource, tokenReviewResource];
