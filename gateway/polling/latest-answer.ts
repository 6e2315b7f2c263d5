/** `late`: the backend did not answer within the caller's patience; `failed`: it gave no usable answer. */
export type AnswerState = 'current' | 'late' | 'failed';

export interface LatestValue<Value> {
  /** The value of the last usable answer; undefined before the first. */
  readonly value: Value | undefined;
  readonly state: AnswerState;
}

/**
 * What a backend said last to one question. Each request asks again, but waits for so long only: of a backend that
 * hangs (stopped, or swamped) it gets what is known. Answers that come late are kept for the next.
 */
export class LatestAnswer<Value> {
  readonly #ask: (known: Value | undefined) => Promise<Value>;
  readonly #patienceMs: number;
  #value: Value | undefined;
  #asked = 0;
  /** The question that the value answers. */
  #answered = 0;

  /**
   * `ask` rejects when there is no usable answer; it gets the last one, to ask for what is newer. For the very first
   * answer the patience is ten times as long: there is nothing to give instead.
   */
  constructor(ask: (known: Value | undefined) => Promise<Value>, patienceMs: number) {
    this.#ask = ask;
    this.#patienceMs = patienceMs;
  }

  get known(): boolean {
    return this.#value !== undefined;
  }

  async get(): Promise<LatestValue<Value>> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<AnswerState>(
      (resolve) => (timer = setTimeout(resolve, this.known ? this.#patienceMs : 10 * this.#patienceMs, 'late')),
    );
    const state = await Promise.race([this.#question(), patience]);
    clearTimeout(timer);
    return { value: this.#value, state };
  }

  async #question(): Promise<AnswerState> {
    const serial = ++this.#asked;
    try {
      const value = await this.#ask(this.#value);
      if (serial > this.#answered) {
        this.#answered = serial;
        this.#value = value;
      }
      return 'current';
    } catch {
      return 'failed';
    }
  }
}
