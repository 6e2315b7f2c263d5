// Sorts recorded lines into one file: schemas by name, calls by kind; big schemas stay out with the calls that need
// them.
import { readFileSync, writeFileSync } from 'node:fs';

const [from, to] = process.argv.slice(2);
const maxSchemaBytes = 40_000;
/** Some tests are random and ask thousands of times: every nth of a kind is enough then. */
const maxCallsOfKind = Number(process.env.SMD_RECORD_MAX ?? 500);
const maxCallBytes = 20_000;
const schemas = {};
const calls = {};
const tooBig = new Set();
for (const line of new Set(
  readFileSync(from, 'utf8')
    .split('\n')
    .filter((text) => text !== ''),
)) {
  const { call, ...rest } = JSON.parse(line);
  if (call !== 'schema') (calls[call] ??= []).push({ line, rest });
  else if (line.length > maxSchemaBytes) tooBig.add(rest.name);
  else schemas[rest.name] = rest.types;
}
/** Random sets are long. */
function everyTenthLarge() {
  let large = 0;
  return ({ rest }) => !to.endsWith('fieldpath.json') || JSON.stringify(rest).length <= 3000 || large++ % 10 === 0;
}

const lines = Object.keys(calls)
  .sort()
  .map((kind) => {
    const small = calls[kind].filter(
      ({ line }) => line.length <= maxCallBytes && ![...tooBig].some((name) => line.includes(`"schema":"${name}"`)),
    );
    const step = Math.ceil(small.length / maxCallsOfKind);
    const kept = small.filter((_, i) => i % step === 0).filter(everyTenthLarge());
    return `${JSON.stringify(kind)}: [\n${kept
      .map(({ rest }) => JSON.stringify(rest))
      .sort()
      .join(',\n')}\n]`;
  });
const named = Object.keys(schemas)
  .sort()
  .map((name) => `${JSON.stringify(name)}: ${JSON.stringify(schemas[name])}`);
writeFileSync(to, `{"schemas": {\n${named.join(',\n')}\n},\n${lines.join(',\n')}\n}\n`);
process.stdout.write(
  `${to}: ${Object.entries(calls)
    .map(([kind, list]) => `${kind} ${list.length}`)
    .join(', ')}; ${tooBig.size} schemas too big\n`,
);
