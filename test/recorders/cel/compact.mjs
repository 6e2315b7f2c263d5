// Lines of the recorder → one document: environments are named once, and what is said of one expression in one
// environment stands together: { text, environment, type | issues, estimate, sizes, runs }. Other lines stay as they
// are.
import { readFileSync } from 'node:fs';

const environments = [];
const places = new Map();
const expressions = new Map();
const lines = [];
const stages = new Set(['compile', 'estimate', 'evaluate']);

function placeOf(environment) {
  const key = JSON.stringify(environment);
  if (!places.has(key)) places.set(key, environments.push(environment) - 1);
  return places.get(key);
}

/** What opaque objects print as differs from run to run. */
function plainInputs(inputs) {
  const kept = Object.entries(inputs ?? {}).filter(([, value]) => value?.object === undefined);
  return kept.length === 0 ? {} : { inputs: Object.fromEntries(kept) };
}

for (const line of readFileSync(process.argv[2], 'utf8').trimEnd().split('\n')) {
  const { environment, kind, test, text, ...rest } = JSON.parse(line);
  // It waits for evaluations to be cut off by the clock, with ten thousand attributes.
  if (test === 'TestInterrupt') continue;
  if (!stages.has(kind)) {
    lines.push({ kind, test, text, ...rest });
    continue;
  }
  let expression = expressions.get(JSON.stringify([test, text, environment]));
  if (expression === undefined) {
    expression = { test, text, environment: placeOf(environment) };
    expressions.set(JSON.stringify([test, text, environment]), expression);
  }
  if (kind === 'compile')
    Object.assign(expression, rest.issues === undefined ? { type: rest.type } : { issues: rest.issues });
  else if (kind === 'estimate') {
    const sizes = Object.keys(rest.sizes).length === 0 ? {} : { sizes: rest.sizes };
    Object.assign(expression, { estimate: rest.cost ?? rest.error, ...sizes });
  } else {
    const { inputs, ...outcome } = rest;
    (expression.runs ??= []).push({ ...plainInputs(inputs), ...outcome });
  }
}
const print = (list) => list.map((each) => JSON.stringify(each)).join(',\n');
process.stdout.write(
  `{"environments":[\n${print(environments)}\n],\n"expressions":[\n${print([...expressions.values()])}\n],\n"lines":[\n${print(lines)}\n]}\n`,
);
