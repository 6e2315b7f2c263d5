/** An exchange whose client a test plays: as much of it as limits use. */
export class PlayedExchange {
  responded = false;
  closed = false;
  queuedBytes = 0;
  readonly hasBody: boolean;
  status = 0;
  readonly headers = new Map<string, unknown>();
  #bodyIsMissing: boolean;
  #onBody: (() => void) | undefined;
  readonly #onAnswer: (() => void)[] = [];
  readonly #onEnd: (() => void)[] = [];

  constructor(bodyIsMissing = false) {
    this.#bodyIsMissing = bodyIsMissing;
    this.hasBody = bodyIsMissing;
  }

  setHeader(name: string, value: string): void {
    this.headers.set(name, value);
  }

  awaitsBody(listener: () => void): boolean {
    this.#onBody = listener;
    return this.#bodyIsMissing;
  }

  onAnswer(listener: () => void): void {
    this.#onAnswer.push(listener);
  }

  onComplete(listener: () => void): void {
    this.#onEnd.push(listener);
  }

  onClose(listener: () => void): void {
    this.#onEnd.push(listener);
  }

  send(status: number, headers: Readonly<Record<string, string>>): void {
    this.responded = true;
    this.status = status;
    for (const [name, value] of Object.entries(headers)) this.headers.set(name, value);
    for (const listener of this.#onAnswer) listener();
    this.end();
  }

  /** Begins an answer whose bytes the client leaves unread. */
  beginAnswer(): void {
    this.responded = true;
    this.queuedBytes = 1;
    for (const listener of this.#onAnswer) listener();
  }

  end(): void {
    this.closed = true;
    for (const listener of this.#onEnd.splice(0)) listener();
  }

  sendBody(): void {
    this.#bodyIsMissing = false;
    this.#onBody?.();
  }
}
