/** The worker thread that finds the syntax errors of invalid expressions ({@link ExplainTask}). */
import { parentPort } from 'node:worker_threads';
import { listsLibrary } from '#shared/cel/libraries/lists/lists.ts';
import { bindingsLibrary } from '#shared/cel/stdlib/bindings.ts';
import { optionalLibrary } from '#shared/cel/stdlib/optionals.ts';
import { standardLibrary } from '#shared/cel/stdlib/standard-library.ts';
import { twoVariableComprehensions } from '#shared/cel/stdlib/two-variable-comprehensions.ts';
import { macroTable } from '#shared/cel/syntax/syntax.ts';
import { explainSyntax } from './explain-syntax.ts';
import type { ExplainTask } from './explain.ts';

const macros = macroTable(
  [standardLibrary, optionalLibrary, twoVariableComprehensions, bindingsLibrary, listsLibrary].flatMap(
    (library) => library.macros ?? [],
  ),
);

const port = parentPort;
if (port === null) throw new Error('explain-worker runs as a worker thread only');
port.on('message', ({ text, macros: keys, optionals }: ExplainTask) => {
  const known = new Set(keys);
  port.postMessage(explainSyntax(text, { macros: new Map([...macros].filter(([key]) => known.has(key))), optionals }));
});
