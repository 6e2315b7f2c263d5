import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import { admissionRequest } from '#shared/admission/expressions/admission-request.ts';
import { drawUuid } from '#shared/apimachinery/chance/draw.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { jsonTextInSteps } from '#shared/serializer/json/encode-in-steps.ts';

export type AdmissionReviewVersion = 'v1' | 'v1beta1';

/** A review for one webhook. */
export interface AdmissionReview {
  readonly uid: string;
  readonly version: AdmissionReviewVersion;
  readonly text: string;
}

/** The first version that the webhook takes and this server knows; undefined if there is none. */
export function admissionReviewVersionOf(accepted: readonly string[]): AdmissionReviewVersion | undefined {
  return accepted.find((version) => version === 'v1' || version === 'v1beta1');
}

/** The AdmissionReview that a webhook gets for a request. */
export function* admissionReview(
  version: AdmissionReviewVersion,
  versioned: VersionedAttributes,
  { kind, resource }: ResourceMatch,
): Steps<AdmissionReview> {
  const { schema, object, oldObject, attributes } = versioned;
  const uid = drawUuid('admission reviews');
  const { object: _, oldObject: __, ...request } = admissionRequest(attributes, kind, resource);
  // The objects, which may be large, are printed by their type, and put in front of the last brace.
  const plain = JSON.stringify({ ...request, uid });
  const printed = yield* printedObject(schema, object);
  const printedOld = yield* printedObject(schema, oldObject);
  return {
    uid,
    version,
    text: `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/${version}","request":${plain.slice(0, -1)},"object":${printed},"oldObject":${printedOld}}}`,
  };
}

function* printedObject(schema: StructSchema, object: KubeObject | undefined): Steps<string> {
  return object === undefined ? 'null' : yield* jsonTextInSteps(schema, object);
}
