import { schemaOfModel } from '#shared/api/same-by-type.ts';
import { invalid, path, VerbatimValue, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { writerOf } from '#shared/serializer/json/encode.ts';
import type { ReviewedSelectors } from './reviewed-selectors.ts';
import { validateSelectors } from './selector-validation.ts';

/**
 * Validates the spec that all access reviews share (pkg/apis/authorization/validation). `needsUser` is false for self
 * reviews.
 */
export function* validateAccessReviewSpec(review: KubeObject, needsUser: boolean): Steps<FieldError[]> {
  const spec = path('spec');
  const resource = objectAt(review, 'spec', 'resourceAttributes');
  const other = objectAt(review, 'spec', 'nonResourceAttributes');
  const errors: FieldError[] = [];
  if (resource && other) {
    // The reference prints its internal type here, whose keys are upper case.
    const value = new VerbatimValue(goJson({ Path: stringAt(other, 'path'), Verb: stringAt(other, 'verb') }));
    errors.push(
      invalid(spec.child('nonResourceAttributes'), value, 'cannot be specified in combination with resourceAttributes'),
    );
  }
  if (!resource && !other) {
    errors.push(
      invalid(
        spec.child('resourceAttributes'),
        null,
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    );
  }
  if (needsUser && stringAt(review, 'spec', 'user') === '' && stringsAt(review, 'spec', 'groups').length === 0) {
    errors.push(invalid(spec.child('user'), '', 'at least one of user or group must be specified'));
  }
  for (const error of yield* validateSelectors(resource, spec.child('resourceAttributes'))) errors.push(error);
  return errors;
}

/** Refuses metadata, which reviews must not have, except for the fields in `allowed`. */
export function validateEmptyMetadata(review: KubeObject, allowed: readonly string[], detail: string): FieldError[] {
  const extra = Object.entries(review.metadata).some(
    ([key, value]) => key !== 'managedFields' && !allowed.includes(key) && value !== null && value !== '',
  );
  return extra ? [invalid(path('metadata'), new VerbatimValue(metadataText({ ...review.metadata })), detail)] : [];
}

/** The metadata as Go prints it: in the order of the struct fields. */
function metadataText(metadata: JsonObject): string {
  return writerOf(schemaOfModel('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'))(metadata);
}

/** The attributes that the spec of a review asks about, for a user. */
export function reviewAttributes(
  user: UserInfo,
  spec: JsonObject | undefined,
  { fields, labels }: Pick<ReviewedSelectors, 'fields' | 'labels'>,
): AuthorizerAttributes {
  const resource = objectAt(spec, 'resourceAttributes');
  if (resource === undefined) {
    return {
      user,
      verb: stringAt(spec, 'nonResourceAttributes', 'verb'),
      path: stringAt(spec, 'nonResourceAttributes', 'path'),
      resourceRequest: false,
      apiGroup: '',
      apiVersion: '',
      resource: '',
      subresource: '',
      namespace: '',
      name: '',
    };
  }
  return {
    user,
    verb: stringAt(resource, 'verb'),
    resourceRequest: true,
    apiGroup: stringAt(resource, 'group'),
    apiVersion: stringAt(resource, 'version') || '*',
    resource: stringAt(resource, 'resource'),
    subresource: stringAt(resource, 'subresource'),
    namespace: stringAt(resource, 'namespace'),
    name: stringAt(resource, 'name'),
    path: '',
    fieldSelector: fields,
    labelSelector: labels,
  };
}

/** The user whom a SubjectAccessReview asks about. */
export function reviewedUser(spec: JsonObject | undefined): UserInfo {
  const extra: Record<string, readonly string[]> = Object.create(null) as Record<string, readonly string[]>;
  for (const [key] of Object.entries(objectAt(spec, 'extra') ?? {})) setKey(extra, key, stringsAt(spec, 'extra', key));
  return { name: stringAt(spec, 'user'), uid: stringAt(spec, 'uid'), groups: stringsAt(spec, 'groups'), extra };
}
