import { ensureCertificates, nextRenewal } from './pki.ts';
import type { PkiPaths } from '../../../shared/process/data-directory.ts';

/** At least so often it is looked, for files may be put in place by others. */
const longestWaitMs = 24 * 3_600_000;
/** Where it failed, or a certificate is due at once. */
const shortestWaitMs = 1_000;
const retryMs = 3_600_000;

/**
 * Makes certificates anew while servers run, when their time comes. The servers follow the files, so that no request
 * fails.
 * @param renewed called with the files that were made
 * @param failed called where it did not succeed; it is tried again
 * @returns ends it
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
    timer = setTimeout(look, Math.min(longestWaitMs, Math.max(shortestWaitMs, ms))).unref();
  };
  const look = (): void => {
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
  return () => clearTimeout(timer);
}
