import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { looseTextInSteps } from '#shared/serializer/json/loose-in-steps.ts';

/**
 * Refuses a custom resource whose kind a patch removed: only its kind says what it is (apimachinery
 * unstructured/helpers.go).
 * @throws StatusError 500
 */
export function* requireCustomKind(patched: KubeObject): Steps<void> {
  if ((patched.kind ?? '') === '')
    throw newInternalError(`Object 'Kind' is missing in '${yield* looseTextInSteps(patched)}'`);
}
