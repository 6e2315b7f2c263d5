import type { X509Certificate } from 'node:crypto';
import { UnusableFileError } from '#shared/files/unusable-file.ts';

/** From when to when a certificate is valid. */
export interface Validity {
  readonly from: Date;
  readonly to: Date;
}

const dayMs = 86_400_000;
/** How long before their creation certificates become valid, as the clocks of machines differ. */
const backdateMs = 3_600_000;
/** A certificate that expires within this time is renewed. */
const renewBeforeMs = 60 * dayMs;

/** A clock that shows an earlier time is wrong: this code was not there then. */
const writtenAtMs = Date.UTC(2026, 10, 1);

/**
 * The validity of a certificate that is made `now`. It includes the time between this release and the end of `days`
 * behind it, whatever the clock shows: certificates that were made while the clock was wrong, as at the first start of
 * a machine without a battery, are valid when it has been put right. client-go, too, makes certificates valid from the
 * time of their authority on (util/cert).
 */
export function validityAt(now: Date, days: number, earliestMs = writtenAtMs): Validity {
  return {
    from: new Date(Math.min(now.getTime() - backdateMs, earliestMs)),
    to: new Date(Math.max(now.getTime(), earliestMs) + days * dayMs),
  };
}

/** The part of a validity that lies in that of the authority. */
export function withinAuthority({ from, to }: Validity, authority: Validity): Validity {
  return {
    from: new Date(Math.max(from.getTime(), authority.from.getTime())),
    to: new Date(Math.min(to.getTime(), authority.to.getTime())),
  };
}

export function validityOf({ validFromDate: from, validToDate: to }: X509Certificate): Validity {
  return { from, to };
}

/** When to renew a certificate, in milliseconds since 1970; never if a new one would last no longer. */
export function renewalTime({ to }: Validity, authority: Validity): number {
  return to < authority.to ? to.getTime() - renewBeforeMs : Number.POSITIVE_INFINITY;
}

/**
 * Whether a certificate is one to go on with: valid, not due for renewal, and not valid for longer than a new one, as
 * when the clock was ahead when it was made.
 */
export function isCurrent(certificate: Validity, authority: Validity, now: Date, made: Validity): boolean {
  return (
    certificate.from <= now &&
    now.getTime() < Math.min(certificate.to.getTime(), renewalTime(certificate, authority)) &&
    certificate.to.getTime() <= made.to.getTime() + dayMs
  );
}

/** @throws UnusableFileError for an authority that is not valid `now`, as no client connects then */
export function checkAuthority(certPath: string, keyPath: string, { from, to }: Validity, now: Date): void {
  if (from <= now && now <= to) return;
  throw new UnusableFileError(
    certPath,
    `is valid from ${from.toISOString()} to ${to.toISOString()}, and the clock of this machine shows ${now.toISOString()}`,
    `set the clock; if it is right, remove ${certPath} and ${keyPath}, and both are made anew, after which clients need the new kubeconfig`,
  );
}
