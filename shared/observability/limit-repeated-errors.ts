/** How many different errors are remembered; more are not expected at a time. */
const maxRemembered = 100;

/**
 * Wraps a function that reports errors: the same error is reported again only after a while, however often it occurs.
 * Otherwise an operation that is retried every second while a disk is full would hide the line that says what to do.
 * @param everyMs between two reports of the same error
 */
export function limitRepeatedErrors(
  tell: (message: string, error: unknown) => void,
  everyMs = 60_000,
  now: () => number = () => performance.now(),
): (message: string, error: unknown) => void {
  const reportedMs = new Map<string, number>();
  return (message, error) => {
    const key = `${message}\0${error instanceof Error ? error.message : String(error)}`;
    const last = reportedMs.get(key);
    if (last !== undefined && now() - last < everyMs) return;
    if (reportedMs.size >= maxRemembered) reportedMs.clear();
    reportedMs.set(key, now());
    tell(message, error);
  };
}
