/** The pause before a retry; {@link end} cuts it short. */
export class RetryPause {
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      this.#timer = setTimeout(resolve, ms);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#wake?.();
  }
}
