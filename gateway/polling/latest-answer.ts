/** `late`: the backend did not answer within the time limit; `failed`: it gave no usable answer. */
export type AnswerState = 'current' | 'late' | 'failed';

export interface LatestValue<Value> {
  /** The value of the last usable answer; undefined before the first. */
  readonly value: Value | undefined;
  readonly state: AnswerState;
}

/**
 * The last answer of a backend to one request. Each call sends the request again, but waits only for a limited time: if
 * the backend hangs (stopped or overloaded), it returns the last known answer. Late answers are kept for the next call.
 */
export class LatestAnswer<Value> {
  readonly #ask: (known: Value | undefined) => Promise<Value>;
  readonly #patienceMs: number;
  #value: Value | undefined;
  #asked = 0;
  /** Number of the request that returned `#value`. */
  #answered = 0;

  /**
   * `ask` gets the last value, for conditional requests, and rejects if there is no usable answer. For the first answer
   * the wait is ten times `patienceMs`, as there is no value yet to return instead.
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
