import type { PkiPaths } from '#shared/process/data-directory.ts';
import { ensureCertificates, nextRenewal } from './pki.ts';

/** Longest pause between checks, as other programs may replace the files. */
const longestWaitMs = 24 * 3_600_000;
/** Shortest pause between checks, also if a certificate is already due. */
const shortestWaitMs = 1_000;
const retryMs = 3_600_000;
/** How often the wall clock is compared with the monotonic one, and the difference that counts as a jump. */
const compareEveryMs = 5_000;
const jumpMs = 1_000;

/**
 * Renews certificates in time while servers run, and at once when somebody sets the clock. The servers watch the
 * files, so that no request fails.
 * @param renewed called with the files of the renewed certificates
 * @param failed called after a failure, which is retried later
 * @returns a function that stops the renewals
 */
export function renewCertificates(
  paths: PkiPaths,
  hosts: readonly string[],
  renewed: (files: readonly string[]) => void,
  failed: (error: Error) => void,
  now: () => Date = () => new Date(),
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(check, Math.min(longestWaitMs, Math.max(shortestWaitMs, ms))).unref();
  };
  const check = (): void => {
    try {
      const files = ensureCertificates(paths, hosts, now());
      if (files.length > 0) renewed(files);
      wait(nextRenewal(paths) - now().getTime());
    } catch (error) {
      failed(error as Error);
      wait(retryMs);
    }
  };
  wait(nextRenewal(paths) - now().getTime());
  const offset = (): number => now().getTime() - performance.now();
  let lastOffset = offset();
  const comparing = setInterval(() => {
    const before = lastOffset;
    lastOffset = offset();
    if (Math.abs(lastOffset - before) > jumpMs) check();
  }, compareEveryMs).unref();
  return () => {
    clearTimeout(timer);
    clearInterval(comparing);
  };
}
