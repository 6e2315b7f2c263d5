/**
 * Packs the facts into one file, for the bundles:
 *   node --import tsx shared/api/pack-gen.ts OUT-FILE      (dist/gen.pack)
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packFiles } from './packed-files.ts';

const [out] = process.argv.slice(2);
if (out === undefined) throw new Error('usage: pack-gen.ts OUT-FILE');
const folder = join(import.meta.dirname, 'gen');
packFiles(
  out,
  globSync('**/*.json', { cwd: folder })
    .toSorted()
    .map((file) => [file.slice(0, -'.json'.length), readFileSync(join(folder, file), 'utf8')] as const),
);
