// Files stay readable: a median of 150 lines at most, none above 300 outside gen/. Tables of requests and cases are
// data: they may have 450.
import type { Rule } from './rule.ts';

const maxLines = 300;
const maxTableLines = 450;
const maxMedian = 150;

/** Tables: recorded data, series of requests, and files that are named after the requests or cases that they list. */
const table = /(^|\/)testdata\/|^test\/conformance\/series\/|\/([a-z-]+-)?(requests|cases)\.ts$/;

export const fileSizes: Rule = {
  check({ sources }) {
    const sizes = sources.map(({ name, text }) => ({
      name,
      lines: text.split('\n').length - 1,
      most: table.test(name) ? maxTableLines : maxLines,
    }));
    sizes.sort((a, b) => a.lines - b.lines);
    const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0;
    const problems = sizes
      .filter(({ lines, most }) => lines > most)
      .map(({ name, lines, most }) => `${name}: ${lines} lines, at most ${most}: one idea a file`);
    if (median > maxMedian) problems.push(`the median file has ${median} lines, at most ${maxMedian}`);
    return { problems, summary: `${sizes.length} files, median ${median}, longest ${sizes.at(-1)?.lines ?? 0}` };
  },
};
