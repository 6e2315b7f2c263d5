/**
 * Resident memory of this process; undefined where the system does not tell: without /proc, or when no descriptor is
 * left to read it by.
 */
export function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
