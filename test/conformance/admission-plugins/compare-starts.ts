import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#test/free-port.ts';
import { prepareStart, referenceReasons, runToRefusal } from './reference-refusals.ts';
import { refusedStarts, type Start } from './starts.ts';

const launcher = join(import.meta.dirname, '../../../servers/launcher/main.ts');

/** Compares why the reference and this product refuse to start. */
export async function compareStarts(
  compare: (what: string, expected: string | undefined, found: string) => void,
  starts: readonly Start[] = refusedStarts,
): Promise<void> {
  const expected = await referenceReasons(starts);
  const folder = mkdtempSync(join(tmpdir(), 'starts-'));
  try {
    for (const [index, start] of starts.entries()) {
      const own = join(folder, String(index));
      const flags = prepareStart(start, own);
      const port = String(await freePort());
      const data = ['--data-dir', join(own, 'data'), '--secure-port', port];
      const command = [process.execPath, '--import', 'tsx', launcher, ...data, ...flags];
      const said = await runToRefusal(command, /quarterdeck is ready/);
      compare(`start: ${start.name}`, expected[index], reasonHere(said, own));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${starts.length} starts`);
}

/** The reasons that the launcher gives, in one text as the reference's. */
function reasonHere(said: string, folder: string): string {
  if (said.includes('quarterdeck is ready')) return 'started';
  const errors = said.split(/^(?:error: |quarterdeck: \w+ ended \(code 1\) before it was ready: )/m).slice(1);
  const texts = errors.map((text) => text.replace(/\n$/, '').replaceAll(folder, 'DIR'));
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
