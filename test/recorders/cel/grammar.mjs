// Writes the tables of CEL's grammar, as ANTLR made them for cel-go, to shared/cel/syntax/gen/grammar.json.
//
//   node grammar.mjs "$(go list -m -f '{{.Dir}}' github.com/google/cel-go)/parser/gen"
import { readFileSync, writeFileSync } from 'node:fs';

const [folder] = process.argv.slice(2);

/** Sections of a file: a title that ends with a colon, lines, an empty line. */
function read(name) {
  const sections = readFileSync(`${folder}/${name}`, 'utf8')
    .split(/\n\n+/)
    .map((section) => section.trim().split('\n'));
  const of = (title) =>
    sections
      .find(([first]) => first === title)
      ?.slice(1)
      .map((line) => (line === 'null' ? null : line));
  return {
    literalNames: of('token literal names:'),
    symbolicNames: of('token symbolic names:'),
    ruleNames: of('rule names:'),
    channelNames: of('channel names:') ?? [],
    modeNames: of('mode names:') ?? [],
    atn: of('atn:')[0].replaceAll(/[[\] ]/g, ''),
  };
}

writeFileSync(
  new URL('../../../shared/cel/syntax/gen/grammar.json', import.meta.url),
  `${JSON.stringify({ parser: read('CEL.interp'), lexer: read('CELLexer.interp') }, undefined, 1)}\n`,
);
