// No line is wider than 120 characters but for the texts in it: a message or a pattern stays whole, so that it can be
// searched for. What the formatter (`.oxfmtrc.json`) leaves alone are comments and such texts. Run by `npm run check`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isData, projectRoot, sourceFiles } from './source-files.ts';

const maxWidth = 120;
/** Strings, templates and regular expressions, as far as one line has them. */
const literals =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?|(?<=[(,=:[!&|?{};\s])\/(?![/*])(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*/g;

/** Comments that are no prose: one word, such as an address, or a command, which is indented. */
const wholeComment = /^\s*(?:\/\/|\/?\*+)?(?:\s*\S+$|\s{2,})/;

function* wideLines(text: string): Generator<number> {
  let isInTemplate = false;
  for (const [at, line] of text.split('\n').entries()) {
    const beganInTemplate = isInTemplate;
    if ((line.match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1) isInTemplate = !isInTemplate;
    if (line.length <= maxWidth || beganInTemplate) continue;
    const isComment = /^\s*(?:\/\/|\/?\*)/.test(line);
    if (isComment ? !wholeComment.test(line) : line.replace(literals, '').length > maxWidth) yield at + 1;
  }
}

let wide = 0;
for (const file of sourceFiles()) {
  if (isData(file)) continue;
  for (const at of wideLines(readFileSync(join(projectRoot, file), 'utf8'))) {
    wide += 1;
    console.error(`${file}:${at}: more than ${maxWidth} characters`);
  }
}
console.log(`line widths: ${wide} lines are too wide`);
process.exitCode = wide > 0 ? 1 : 0;
