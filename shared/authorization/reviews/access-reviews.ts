import { invalid, path, VerbatimValue, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { newBadRequest, newInvalid } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import type { Authorizer, ResolvedRules, RuleResolver } from '#shared/authorization/contract/authorizer.ts';
import type { Creator } from '#shared/registry/rest.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import type { UserInfo } from '#shared/request/user.ts';
import {
  reviewAttributes,
  reviewedUser,
  validateAccessReviewSpec,
  validateEmptyMetadata,
} from './access-review-spec.ts';
import { readSelectors } from './reviewed-selectors.ts';

const group = 'authorization.k8s.io';

/** SubjectAccessReview: may the named user do this? */
export function subjectAccessReview(authorizer: Authorizer): Creator {
  return async (review) => {
    const errors = await inRequestSlices(validateAccessReviewSpec(review, true));
    refuse([...errors, ...validateEmptyMetadata(review, [], 'must be empty')]);
    return await answer(authorizer, review, reviewedUser(objectAt(review, 'spec')));
  };
}

/** SelfSubjectAccessReview: may the requesting user do this? */
export function selfSubjectAccessReview(authorizer: Authorizer): Creator {
  return async (review, context) => {
    const errors = await inRequestSlices(validateAccessReviewSpec(review, false));
    refuse([...errors, ...validateEmptyMetadata(review, [], 'must be empty')]);
    return await answer(authorizer, review, context.user);
  };
}

/**
 * LocalSubjectAccessReview: whether a user may do something in this namespace, for reviewers who have access to one
 * namespace only.
 */
export function localSubjectAccessReview(authorizer: Authorizer): Creator {
  return async (review, context) => {
    const spec = objectAt(review, 'spec');
    refuse([
      ...(await inRequestSlices(validateAccessReviewSpec(review, true))),
      ...validateEmptyMetadata(review, ['namespace'], 'must be empty except for namespace'),
      ...validateLocal(review, spec),
    ]);
    if (context.namespace !== review.metadata.namespace)
      throw newBadRequest(`spec.resourceAttributes.namespace must match namespace: ${context.namespace}`);
    return await answer(authorizer, review, reviewedUser(spec));
  };
}

/** SelfSubjectRulesReview: what may the requesting user do in a namespace? */
export function selfSubjectRulesReview(resolver: RuleResolver): Creator {
  return async (review, context) => {
    const namespace = stringAt(review, 'spec', 'namespace');
    if (namespace === '') throw newBadRequest('no namespace on request');
    const rules = await resolver.rulesFor(context.user, namespace);
    const status: JsonObject = {
      resourceRules: rules.resourceRules.map(shownResourceRule),
      nonResourceRules: rules.nonResourceRules.map(shownNonResourceRule),
      incomplete: rules.incomplete,
    };
    if (rules.evaluationError !== '') status['evaluationError'] = rules.evaluationError;
    return { apiVersion: review.apiVersion ?? '', kind: review.kind ?? '', metadata: {}, spec: {}, status };
  };
}

async function answer(authorizer: Authorizer, review: KubeObject, user: UserInfo): Promise<KubeObject> {
  const spec = objectAt(review, 'spec');
  const selectors = await inRequestSlices(readSelectors(objectAt(spec, 'resourceAttributes')));
  const { decision, reason, error } = await authorizer.authorize(reviewAttributes(user, spec, selectors));
  const status: JsonObject = { allowed: decision === 'allow' };
  if (decision === 'deny') status['denied'] = true;
  if (reason !== '') status['reason'] = reason;
  const errors = [...(error === undefined ? [] : [error]), ...selectors.faults];
  if (errors.length > 0) status['evaluationError'] = errors.join('; ');
  return { ...review, status };
}

function validateLocal(review: KubeObject, spec: JsonObject | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const resource = objectAt(spec, 'resourceAttributes');
  if (resource && stringAt(resource, 'namespace') !== (review.metadata.namespace ?? '')) {
    errors.push(
      invalid(
        path('spec.resourceAttributes.namespace'),
        stringAt(resource, 'namespace'),
        'must match metadata.namespace',
      ),
    );
  }
  const other = objectAt(spec, 'nonResourceAttributes');
  if (other) {
    const value = new VerbatimValue(goJson({ Path: stringAt(other, 'path'), Verb: stringAt(other, 'verb') }));
    errors.push(invalid(path('spec.nonResourceAttributes'), value, 'disallowed on this kind of request'));
  }
  return errors;
}

/** The reference leaves the kind in this error empty. */
function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw newInvalid({ group, kind: '' }, '', errors);
}

/** Rules as reviews show them, cached. The rules are shared by all bindings of a role and never changed. */
const shownRules = new WeakMap<ResourceRule, JsonObject>();
const shownPathRules = new WeakMap<NonResourceRule, JsonObject>();

type ResourceRule = ResolvedRules['resourceRules'][number];
type NonResourceRule = ResolvedRules['nonResourceRules'][number];

function shownResourceRule(rule: ResourceRule): JsonObject {
  let shown = shownRules.get(rule);
  if (shown === undefined) {
    shown = withoutEmpty({
      verbs: [...rule.verbs],
      apiGroups: [...rule.apiGroups],
      resources: [...rule.resources],
      resourceNames: [...rule.resourceNames],
    });
    shownRules.set(rule, shown);
  }
  return shown;
}

function shownNonResourceRule(rule: NonResourceRule): JsonObject {
  let shown = shownPathRules.get(rule);
  if (shown === undefined)
    shownPathRules.set(
      rule,
      (shown = withoutEmpty({ verbs: [...rule.verbs], nonResourceURLs: [...rule.nonResourceURLs] })),
    );
  return shown;
}

function withoutEmpty(rule: Record<string, string[]>): JsonObject {
  return Object.fromEntries(Object.entries(rule).filter(([, values]) => values.length > 0));
}
