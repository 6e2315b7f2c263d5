import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';

/** Why a policy denies a request. */
export interface Denial {
  readonly policy: string;
  /** Undefined where the policy itself is wrong. */
  readonly binding: string | undefined;
  /** Empty: Invalid. */
  readonly reason: string;
  readonly message: string;
}

const codes: ReadonlyMap<string, number> = new Map([
  ['Forbidden', 403],
  ['Unauthorized', 401],
  ['RequestEntityTooLarge', 413],
  ['Invalid', 422],
]);

/** The answer to a denied request: the code follows the reason, the text is always that of a 403. */
export function deniedRequest(attributes: AdmissionAttributes, denial: Denial): StatusError {
  const { policy, binding, message } = denial;
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy ${by} denied request: ${message}`;
  const { status } = refuseAdmission(attributes, text, [{ message: text }]);
  const reason = denial.reason === '' ? 'Invalid' : denial.reason;
  return new StatusError({ ...status, reason, code: codes.get(reason) ?? 422 });
}
