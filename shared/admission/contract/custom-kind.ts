import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersion, formatGroupVersionKind, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { looseTextInSteps } from '#shared/serializer/json/loose-in-steps.ts';

/** A custom resource of another group, which the reference tells without a reason (apiextensions converter.go). */
export class UnsuitableTypeError extends Error {
  override readonly name = 'UnsuitableTypeError';

  constructor(found: GroupVersionKind, wanted: GroupVersionKind) {
    const target = goQuote(formatGroupVersion(wanted));
    super(`${formatGroupVersionKind(found)} is unstructured and is not suitable for converting to ${target}`);
  }
}

/**
 * Refuses a custom resource whose kind a patch removed: only its kind says what it is (apimachinery
 * unstructured/helpers.go).
 * @throws StatusError 500
 */
export function* requireCustomKind(patched: KubeObject): Steps<void> {
  if ((patched.kind ?? '') === '')
    throw newInternalError(`Object 'Kind' is missing in '${yield* looseTextInSteps(patched)}'`);
}
