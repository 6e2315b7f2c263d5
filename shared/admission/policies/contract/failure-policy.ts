import type { FailurePolicy } from '#shared/admission/expressions/match-conditions.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';

/** What becomes of a request when a policy cannot be evaluated. */
export function failurePolicyOf(spec: JsonObject): FailurePolicy {
  return stringAt(spec, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail';
}
