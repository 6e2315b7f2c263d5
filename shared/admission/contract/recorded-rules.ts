import type { AdmissionVerdict } from '#shared/request/admission-step.ts';

/** A step tells no more paths than this. */
export const mostChangedPaths = 50;

/** What became of a rule of users: without an error it admits; some failures are ignored by `failurePolicy: Ignore`. */
export function outcomeOfRule(error: unknown, isIgnored: boolean): { verdict: AdmissionVerdict; reason?: string } {
  if (error === undefined) return { verdict: 'admitted' };
  return { verdict: isIgnored ? 'ignored' : 'refused', reason: reasonOf(error) };
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
