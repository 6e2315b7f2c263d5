import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { limitErrorRate } from '#shared/observability/limit-error-rate.ts';
import type { Logger } from '#shared/observability/logger.ts';

/** Logs a value of an annotation that was dropped. */
export function tellConflict(logger: Logger): (key: string, value: string, kept: string) => void {
  const tell = limitErrorRate((message, error) => logger.error(message, error));
  return (key, value, kept) =>
    tell(
      `Failed to set annotations[${goQuote(key)}] to ${goQuote(value)}`,
      `it has already been set to ${goQuote(kept)}`,
    );
}
