// Where the calls of loggers stand in the sources, for bundles: log lines name the file and line of a source, which a
// bundle does not know, and source maps are not part of the package. call-place.ts reads the tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative } from 'node:path';

const call = /\.(?:info|warning|error|enabled|plain)\(/g;

/**
 * Writes `<bundle>.places.json` beside a bundle with a source map: for each call of a method that a logger has, the
 * offset by which V8 knows the call, and the source and line of it.
 */
export function writeCallPlaces(bundle, root) {
  const text = readFileSync(bundle, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  const paths = new Map();
  const calls = [];
  let [line, lineStart] = [0, 0];
  for (const { index } of text.matchAll(call)) {
    for (let end = text.indexOf('\n', lineStart); end >= 0 && end < index; end = text.indexOf('\n', lineStart)) {
      lineStart = end + 1;
      line++;
    }
    const at = index + 1;
    const { originalSource, originalLine } = map.findEntry(line, at - lineStart);
    const path = originalSource && relative(root, new URL(originalSource, `file://${bundle}`).pathname);
    if (!path || !/^(?:gateway|servers|shared)\//.test(path)) continue;
    if (!paths.has(path)) paths.set(path, paths.size);
    calls.push([at, paths.get(path), originalLine + 1]);
  }
  writeFileSync(`${bundle}.places.json`, JSON.stringify({ paths: [...paths.keys()], calls }));
}
