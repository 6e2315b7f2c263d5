// Files stay readable: a median of 150 lines at most, none above 300 outside gen/. Tables of requests and cases are
// data: they may have 450. Run by `npm run check`.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectRoot, sourceFiles } from './source-files.ts';

const maxLines = 300;
const maxTableLines = 450;
const maxMedian = 150;

/** Tables: recorded data, series of requests, and files that are named after the requests or cases that they list. */
const table = /(^|\/)testdata\/|^test\/conformance\/series\/|\/([a-z-]+-)?(requests|cases)\.ts$/;

const sizes = sourceFiles().map((file) => ({
  file,
  lines: readFileSync(resolve(projectRoot, file), 'utf8').split('\n').length - 1,
  most: table.test(file) ? maxTableLines : maxLines,
}));
sizes.sort((a, b) => a.lines - b.lines);
const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0;
const tooLong = sizes.filter(({ lines, most }) => lines > most);
for (const { file, lines, most } of tooLong) console.error(`${file}: ${lines} lines, at most ${most}: one idea a file`);
if (median > maxMedian) console.error(`the median file has ${median} lines, at most ${maxMedian}`);
console.log(`file sizes: ${sizes.length} files, median ${median}, longest ${sizes.at(-1)?.lines ?? 0}`);
process.exitCode = tooLong.length > 0 || median > maxMedian ? 1 : 0;
