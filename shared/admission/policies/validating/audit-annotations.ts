import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { byteLength } from '#shared/apimachinery/text/go-format.ts';

/** Longer values are cut off. */
const maxValueBytes = 10 * 1024;

/** The audit annotations of one policy: a key has a value for each binding and parameter. */
export class AuditAnnotations {
  readonly #values = new Map<string, string[]>();

  /** A value that the key has already is not repeated. */
  add(key: string, value: string): void {
    const cut = byteLength(value) > maxValueBytes ? Buffer.from(value).subarray(0, maxValueBytes).toString() : value;
    const values = this.#values.get(key);
    if (values === undefined) this.#values.set(key, [cut]);
    else if (!values.includes(cut)) values.push(cut);
  }

  publish(policy: string, attributes: AdmissionAttributes): void {
    for (const [key, values] of this.#values) attributes.addAuditAnnotation(`${policy}/${key}`, values.join(', '));
  }
}

const failureKey = 'validation.policy.admission.k8s.io/validation_failure';

export interface ValidationFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

/** The annotation of a failure whose binding has the action Audit. */
export function publishFailure(failure: ValidationFailure, attributes: AdmissionAttributes): void {
  const { message, policy, binding, expressionIndex, validationActions } = failure;
  attributes.addAuditAnnotation(
    failureKey,
    JSON.stringify([{ message, policy, binding, expressionIndex, validationActions }]),
  );
}
