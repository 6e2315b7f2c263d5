// How long an expression that is costly within its limits holds the event loop in one go: at most 150 ms of processor
// time.
//   node --import tsx test/benchmark/cel-turns.ts
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { longestTurn } from '#shared/apimachinery/slices/testing/longest-turn.ts';
import { Program } from '#shared/cel/eval/program.ts';
import { bindings, environment, hostile } from '#shared/cel/eval/testing/hostile-expressions.ts';
import { compile } from '#shared/cel/testing/compile.ts';

const mostMs = 150;

for (const expression of hostile) {
  const program = compile(environment, expression);
  if (!(program instanceof Program)) throw new Error(String(program));
  const { longestMs } = await longestTurn(() => inSlices(program.evaluateInSteps(bindings, 300_000)));
  const isHeld = longestMs > mostMs;
  if (isHeld) process.exitCode = 1;
  console.log(
    `${isHeld ? 'TOO LONG' : 'ok      '} ${`${Math.round(longestMs)} ms`.padStart(7)} ${expression.slice(0, 80)}`,
  );
}
