import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { modifiedAt } from './questions.ts';

const files: Readonly<Record<string, string | Uint8Array>> = {
  'plain.log': '0123456789\n',
  'long.log': 'one line of many that compress well\n'.repeat(10_000),
  empty: '',
  'nested/index.html': '<p>index</p>\n',
  'odd ?name#&<a>.txt': 'odd\n',
  'quote\'"name': 'quoted\n',
  'colon:name': 'colon\n',
  'two..dots': 'dots\n',
  '...': 'three dots\n',
  ümlaut: 'ümlaut\n',
  'archive.log.1.gz': Uint8Array.of(0x1f, 0x8b, 8, 0),
  'sniffed-gzip': Uint8Array.of(0x1f, 0x8b, 8, 0),
  'sniffed-html': '  <!DOCTYPE html><p>',
  'sniffed-binary': Uint8Array.of(1, 2, 3, 0),
  picture: Buffer.from('89504e470d0a1a0a', 'hex'),
  'page.HTML': '<p>page',
  'data.json': '{}',
  'data.yaml': 'a: 1\n',
  'script.js': '1;',
  '.hidden': 'hidden\n',
};

/** Files below `/var/log`, which both servers read. Needs the right to write there. */
export function writeLogFolder(): { readonly name: string; readonly remove: () => void } {
  const folder = mkdtempSync('/var/log/quarterdeck-');
  mkdirSync(join(folder, 'nested/sub'), { recursive: true });
  mkdirSync(join(folder, 'outside-target'));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content);
    utimesSync(join(folder, name), modifiedAt, modifiedAt);
  }
  symlinkSync('plain.log', join(folder, 'link'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  symlinkSync('outside-target', join(folder, 'outside'));
  symlinkSync('loop', join(folder, 'loop'));
  mkdirSync(join(folder, 'pages/index.html/in-it'), { recursive: true });
  for (const name of ['nested', '.']) utimesSync(join(folder, name), modifiedAt, modifiedAt);
  return { name: basename(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
