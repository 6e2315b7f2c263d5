/** What became of one step: `ignored` is a failure that its failure policy lets pass. */
export type AdmissionVerdict = 'admitted' | 'refused' | 'ignored';

/** One step of the admission of a request: a plugin as a whole, or a rule of users within one. */
export interface AdmissionStep {
  readonly phase: 'mutating' | 'validating';
  readonly plugin: string;
  /** `configuration/webhook` or `policy/binding`; absent for a plugin as a whole. */
  readonly rule?: string;
  readonly verdict: AdmissionVerdict;
  /** Why it did not admit. */
  readonly reason?: string;
  readonly ms: number;
  /** JSON pointers (RFC 6901) to what it changed, the first of them where there are many. */
  readonly changed: readonly string[];
}

/** Takes the steps of the admission of one request, in the order in which they end. */
export interface AdmissionRecorder {
  record(step: AdmissionStep): void;
}
