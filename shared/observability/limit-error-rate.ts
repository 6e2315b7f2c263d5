export interface ErrorRate {
  /** How many errors are told within {@link everyMs}. */
  readonly most: number;
  readonly everyMs: number;
}

const usualRate: ErrorRate = { most: 60, everyMs: 60_000 };

/**
 * Wraps a function that reports errors which clients can cause as often as they like, such as failed handshakes: so
 * many are told within a time, and at its end how many were left out. No client can fill the disk with them.
 */
export function limitErrorRate(
  tell: (message: string, error: unknown) => void,
  { most, everyMs }: ErrorRate = usualRate,
): (message: string, error: unknown) => void {
  let told = 0;
  let leftOut = 0;
  let isCounting = false;
  const begin = (): void => {
    isCounting = true;
    setTimeout(() => {
      if (leftOut > 0) tell('Errors were left out of the log', `${leftOut} more than ${most} in ${everyMs / 1000} s`);
      [told, leftOut, isCounting] = [0, 0, false];
    }, everyMs).unref();
  };
  return (message, error) => {
    if (!isCounting) begin();
    if (told >= most) return void leftOut++;
    told++;
    tell(message, error);
  };
}
