import { CertificateCounters } from '#shared/egress/certificates/certificate-counters.ts';
import { weaknessAnnotation, weaknessesIn } from '#shared/egress/certificates/weak-certificates.ts';

/** Counts all webhooks that a process calls. */
export const webhookCertificates = new CertificateCounters('webhooks');

/** What audit events tell of a call of this host that failed by its certificate. */
export function certificateAnnotations(failure: string, host: string): (readonly [key: string, value: string])[] {
  return weaknessesIn(failure).map((weakness) => weaknessAnnotation(weakness, host));
}

export function countCertificateFailure(failure: string): void {
  for (const weakness of weaknessesIn(failure)) webhookCertificates.count(weakness);
}
