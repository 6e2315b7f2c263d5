import { newTimeout, type StatusError } from '#shared/apimachinery/errors/status.ts';

/** Whoever waits for the answer of a write: its exchange. */
export interface Caller {
  /** Whether nobody waits any more. */
  readonly closed: boolean;
  /** Calls the listener once, when nobody waits any more. */
  onClose(listener: () => void): void;
}

/** One write that met a conflict; as long as it goes on, the same object. */
export interface RetryingWriter {
  /** The storage key that it writes. */
  readonly key: string;
  readonly caller: Caller | undefined;
}

/** The writers of one key: the one whose turn it is, and by arrival those that wait, with what lets them go on. */
interface Line {
  active: RetryingWriter;
  readonly waiting: Map<RetryingWriter, () => void>;
  timer: NodeJS.Timeout | undefined;
}

/** The longest that one writer keeps the others waiting, in ms: hooks of users may take seconds. */
const longestTurnMs = 100;
/** More of one key do not wait. Each is a request in flight, whose number is limited, too. */
const mostWaiting = 1_000;

/**
 * Writers that met a conflict take turns by key, since each success makes void what all the others have computed: one
 * computes at a time, in place of all of them anew for each that succeeds. It is an order and no more: a writer that
 * met no conflict does not ask, those of other processes do not know of it, and compare-and-set decides what is stored.
 */
export class WriteTurns {
  readonly #lines = new Map<string, Line>();

  /** How many keys have writers in turn. */
  get size(): number {
    return this.#lines.size;
  }

  /**
   * Resolves when the writer may compute: with true if it had to wait, so that what it knows of the object may be out
   * of date. Rejects with a 504 as soon as its caller has gone.
   */
  async begin(writer: RetryingWriter): Promise<boolean> {
    if (writer.caller?.closed === true) throw goneError();
    const line = this.#lines.get(writer.key);
    if (line === undefined) {
      this.#lines.set(writer.key, { active: writer, waiting: new Map(), timer: undefined });
      return false;
    }
    if (line.active === writer || line.waiting.size >= mostWaiting) return false;
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    line.waiting.set(writer, () => resolve(true));
    line.timer ??= this.#passOn(line);
    writer.caller?.onClose(() => {
      if (line.waiting.delete(writer)) reject(goneError());
    });
    return promise;
  }

  /** Ends the turn of the writer, unless it has passed on already. */
  end(writer: RetryingWriter): void {
    const line = this.#lines.get(writer.key);
    if (line?.active === writer) this.#next(line);
  }

  #next(line: Line): void {
    clearTimeout(line.timer);
    line.timer = undefined;
    const [first] = line.waiting;
    if (first === undefined) return void this.#lines.delete(line.active.key);
    const [writer, goOn] = first;
    line.waiting.delete(writer);
    line.active = writer;
    if (line.waiting.size > 0) line.timer = this.#passOn(line);
    goOn();
  }

  #passOn(line: Line): NodeJS.Timeout {
    return setTimeout(() => {
      line.timer = undefined;
      if (line.waiting.size > 0) this.#next(line);
    }, longestTurnMs);
  }
}

function goneError(): StatusError {
  return newTimeout('request did not complete within requested timeout - context canceled', 0);
}
