import { newTooManyRequests } from '#shared/apimachinery/errors/status.ts';
import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { TaskThread } from '#shared/apimachinery/slices/task-thread.ts';
import { threadProgram } from '#shared/apimachinery/slices/thread-program.ts';
import type { Issue } from '#shared/cel/syntax/issue.ts';
import type { Syntax } from '#shared/cel/syntax/syntax.ts';
import { explainSyntax } from './explain-syntax.ts';

/** A request to the worker thread. Macros are named by their keys, since functions cannot be sent. */
export interface ExplainTask {
  readonly text: string;
  readonly macros: readonly string[];
  readonly optionals: boolean;
}

const tooLong = (): Error => new Error('an expression takes too long to be explained');

const thread = new TaskThread<ExplainTask, Issue[]>({
  mostWaiting: 64,
  patienceMs: 60_000,
  idleMs: 30_000,
  heapMb: 512,
  stackMb: 31,
  program: threadProgram('explain-worker', import.meta.url),
  failures: {
    tooMany: () => newTooManyRequests('too many expressions wait to be explained, please try again later', 1),
    tooLong,
    tooLarge: tooLong,
  },
});

/**
 * Finds the syntax errors of a text. ANTLR cannot pause, takes 10 µs or more for each character, and 50 ms to load, so
 * it runs in a worker thread if the caller runs in slices.
 */
export function* explain(text: string, syntax: Syntax): Steps<Issue[]> {
  if (!isSliced()) return explainSyntax(text, syntax);
  const outcome: { issues?: Issue[]; error?: Error } = {};
  const answered = thread
    .ask(() => ({ task: { text, macros: [...syntax.macros.keys()], optionals: syntax.optionals } }))
    .then(
      (issues) => void (outcome.issues = issues),
      (error: Error) => void (outcome.error = error),
    );
  while (outcome.issues === undefined) {
    if (outcome.error !== undefined) throw outcome.error;
    yield answered;
  }
  return outcome.issues;
}
