import type { KubeObject } from '#shared/apimachinery/object.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';

/** The label of a secret that holds a token: the day of the token's last use. */
export const lastUsedLabel = 'kubernetes.io/legacy-token-last-used';

/** Writes the label of a secret. */
export type LabelSecret = (secret: KubeObject['metadata'], labels: Readonly<Record<string, string>>) => Promise<void>;

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Notes on secrets when their tokens were used, once a day (pkg/serviceaccount/legacy.go). Which server can write
 * secrets, and how, is known later than authentication is opened.
 */
export class LegacyTokenUses {
  #write: LabelSecret | undefined;
  readonly #reportError: (message: string, error: unknown) => void;

  constructor(reportError: (message: string, error: unknown) => void) {
    this.#reportError = reportError;
  }

  writeBy(write: LabelSecret): void {
    this.#write = write;
  }

  /** Resolves when the label is written, or could not be. */
  async note({ metadata }: KubeObject, nowMs = Date.now()): Promise<void> {
    const last = metadata.labels?.[lastUsedLabel];
    const today = dayOf(nowMs);
    // The clock of another server may be ahead.
    if (last === today || last === dayOf(nowMs + dayMs)) return;
    try {
      await this.#write?.(metadata, { [lastUsedLabel]: today });
    } catch (error) {
      const name = `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
      this.#reportError(`Failed to label legacy service account token ${name} with last-used date`, error);
    }
  }
}

function dayOf(ms: number): string {
  return timeFromMs(ms).slice(0, 10);
}
