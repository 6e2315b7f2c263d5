import { isSliced, type Steps } from '../../../apimachinery/slices.ts';
import { newTooManyRequests } from '../../../apimachinery/status.ts';
import { TaskThread, threadProgram } from '../../../apimachinery/task-thread.ts';
import type { Issue } from '../../syntax/issue.ts';
import type { Syntax } from '../../syntax/syntax.ts';
import { explainSyntax } from './explain-syntax.ts';

/** What the thread is asked: macros by their keys, as functions are no messages. */
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
  program: () => threadProgram('explain-worker', import.meta.url),
  failures: {
    tooMany: () => newTooManyRequests('too many expressions wait to be explained, please try again later', 1),
    tooLong,
    tooLarge: tooLong,
  },
});

/**
 * What is wrong with a text that is no expression. ANTLR reads it in one go, 10 µs a character and more, and takes 50
 * ms to be loaded: where others wait for the loop, that is done by a thread.
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
