// Files stay readable: a median of 150 lines at most, none above 450 outside gen/. Run by `npm run check`.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectRoot, sourceFiles } from './source-files.ts';

const maxLines = 450;
const maxMedian = 150;

const sizes = sourceFiles().map((file) => ({
  file,
  lines: readFileSync(resolve(projectRoot, file), 'utf8').split('\n').length - 1,
}));
sizes.sort((a, b) => a.lines - b.lines);
const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0;
const tooLong = sizes.filter(({ lines }) => lines > maxLines);
for (const { file, lines } of tooLong) console.error(`${file}: ${lines} lines, at most ${maxLines}: one idea a file`);
if (median > maxMedian) console.error(`the median file has ${median} lines, at most ${maxMedian}`);
console.log(`file sizes: ${sizes.length} files, median ${median}, longest ${sizes.at(-1)?.lines ?? 0}`);
process.exitCode = tooLong.length > 0 || median > maxMedian ? 1 : 0;
