import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts text between the marks `<!-- NAME -->` and `<!-- end of NAME -->` of the README beside. */
export function writeFigures(name: string, text: string): void {
  const readme = join(import.meta.dirname, 'README.md');
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const before = readFileSync(readme, 'utf8');
  if (!before.includes(start) || !before.includes(end)) throw new Error(`${readme} has no marks for ${name}`);
  writeFileSync(
    readme,
    `${before.slice(0, before.indexOf(start) + start.length)}\n${text}\n${before.slice(before.indexOf(end))}`,
  );
}
