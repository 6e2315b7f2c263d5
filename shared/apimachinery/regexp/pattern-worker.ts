/** The worker thread that compiles long patterns: it receives a pattern and posts its program or its error. */
import { parentPort } from 'node:worker_threads';
import { outcomeOf } from './program.ts';

const port = parentPort;
if (port === null) throw new Error('pattern-worker runs as a worker thread only');
port.on('message', (pattern: string) => {
  const outcome = outcomeOf(pattern);
  const parts =
    typeof outcome === 'string'
      ? []
      : [outcome.ops, outcome.outs, outcome.args, outcome.runesAt, outcome.pairs, outcome.runes].map(
          ({ buffer }) => buffer as ArrayBuffer,
        );
  port.postMessage(outcome, parts);
});
