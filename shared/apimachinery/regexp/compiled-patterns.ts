import { newTooManyRequests } from '#shared/apimachinery/errors/status.ts';
import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { TaskThread } from '#shared/apimachinery/slices/task-thread.ts';
import { threadProgram } from '#shared/apimachinery/slices/thread-program.ts';
import { budgetedCache } from '#shared/caches/budgeted-cache.ts';
import { Finder } from './finder.ts';
import { Matcher } from './matcher.ts';
import { outcomeOf, programBytes, type PatternProgram } from './program.ts';

/** A compiled pattern, or its error in Go's words. */
export class CompiledPattern {
  readonly error: string | undefined;
  readonly bytes: number;
  readonly #program: PatternProgram | undefined;
  #matcher: Matcher | undefined;
  #finder: Finder | undefined;

  constructor(outcome: PatternProgram | string) {
    this.error = typeof outcome === 'string' ? outcome : undefined;
    this.#program = typeof outcome === 'string' ? undefined : outcome;
    this.bytes =
      overheadBytes +
      (typeof outcome === 'string' ? outcome.length : programBytes(outcome) + machines * 4 * outcome.ops.length);
  }

  /** Only for a pattern without an error. */
  get matcher(): Matcher {
    return (this.#matcher ??= new Matcher(this.#program as PatternProgram));
  }

  /** Only for a pattern without an error. */
  get finder(): Finder {
    return (this.#finder ??= new Finder(this.#program as PatternProgram));
  }
}

const overheadBytes = 500;
/** A pattern has up to two machines, matcher and finder. Each keeps a word for every instruction. */
const machines = 2;
/** In work that runs in slices, longer patterns are compiled by a worker thread. */
const longPattern = 2048;

const kept = budgetedCache<string, CompiledPattern>('patterns', ({ bytes }, pattern) => bytes + pattern.length * 2);

const tooLong = (): Error => new Error('a pattern takes too long to be compiled');
const thread = new TaskThread<string, PatternProgram | string>({
  mostWaiting: 64,
  patienceMs: 60_000,
  idleMs: 30_000,
  heapMb: 1024,
  stackMb: 31,
  program: threadProgram('pattern-worker', import.meta.url),
  failures: {
    tooMany: () => newTooManyRequests('too many patterns wait to be compiled, please try again later', 1),
    tooLong,
    tooLarge: tooLong,
  },
});

/** Compiles a pattern of Go's dialect; in slices, a long one is compiled by a worker thread and blocks no request. */
export function* compiledPattern(pattern: string): Steps<CompiledPattern> {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length <= longPattern || !isSliced()) return keep(pattern, outcomeOf(pattern));
  const answer: { outcome?: PatternProgram | string; error?: Error } = {};
  const answered = thread
    .ask(() => ({ task: pattern }))
    .then(
      (outcome) => void (answer.outcome = outcome),
      (error: Error) => void (answer.error = error),
    );
  while (answer.outcome === undefined) {
    if (answer.error !== undefined) throw answer.error;
    yield answered;
  }
  return keep(pattern, answer.outcome);
}

/** Whether a pattern is too long to be compiled at once while other requests wait. */
export function isLongPattern(pattern: string): boolean {
  return pattern.length > longPattern;
}

function keep(pattern: string, outcome: PatternProgram | string): CompiledPattern {
  const compiled = new CompiledPattern(outcome);
  kept.set(pattern, compiled);
  return compiled;
}
