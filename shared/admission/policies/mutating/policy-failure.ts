import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** An error of a policy, or of a binding. */
export interface PolicyFailure {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  /** Empty for a wrong policy or binding: Forbidden. */
  readonly reason: string;
}

/** The answer where policies with `failurePolicy: Fail` failed: the first error, and all of them as causes. */
export function refusedByFailures(attributes: AdmissionAttributes, failures: readonly PolicyFailure[]): StatusError {
  const texts = failures.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy ${goQuote(policy)} denied request: ${message}`
      : `policy '${policy}' with binding '${binding}' denied request: ${message}`,
  );
  const { status } = refuseAdmission(
    attributes,
    'admission request denied by policy',
    texts.map((message) => ({ message })),
  );
  const [first] = failures;
  return new StatusError({ ...status, message: texts[0] ?? '', reason: first?.reason || (status.reason ?? '') });
}
