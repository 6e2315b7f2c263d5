// No line is wider than 120 characters but for the texts in it: a message or a pattern stays whole, so that it can be
// searched for. What the formatter (`.oxfmtrc.json`) leaves alone are comments and such texts.
import type { Rule } from './rule.ts';
import { isData } from './source-files.ts';

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

export const lineWidths: Rule = {
  check({ sources }) {
    const looked = sources.filter(({ name }) => !isData(name));
    const problems = looked.flatMap(({ name, text }) =>
      [...wideLines(text)].map((at) => `${name}:${at}: more than ${maxWidth} characters`),
    );
    return { problems, summary: `${looked.length} files` };
  },
};
