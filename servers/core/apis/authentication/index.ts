import type { BuiltInResource } from '#servers/core/apis/contract/built-in-resource.ts';
import { selfSubjectReviewResource, tokenReviewResource } from './reviews.ts';

export const authenticationResources: readonly BuiltInResource[] = [selfSubjectReviewResource, tokenReviewResource];
