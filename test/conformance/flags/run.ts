// Starts this server and kube-apiserver with each flag alone, with a good value and with wrong ones, and compares exit
// codes and errors:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/flags/run.ts [--only good|wrong|files|lines] [NAME…]
// Needs the bundles of dist (or QUARTERDECK_DIST). About two seconds for a wrong value, six for a good one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Report } from '#test/compare/report.ts';
import { prepareStart } from '#test/conformance/admission-plugins/reference-refusals.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { brokenEncryption } from './broken-encryption.ts';
import { brokenFiles } from './broken-files.ts';
import { flagCases } from './cases.ts';
import { commandLines } from './command-lines.ts';
import { explanation } from './explained.ts';
import { writeFiles } from './files.ts';
import { startHere, startReference, type Outcome } from './start.ts';

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true });
const etcdProgram = referenceProgram('etcd');
if (etcdProgram === undefined) throw new Error('REFERENCE_BIN holds no etcd');
const folder = mkdtempSync(join(tmpdir(), 'flags-'));
const report = new Report();

const isMissingFile = /DIR\/none: no such file or directory|DIR\/none, cert|cert: DIR\/none/;
const namesMissingFile = /^--[\w-]+ "DIR\/none": there is no such file; /;

async function compare(part: string, flag: string): Promise<void> {
  const flags = flag
    .replaceAll('DIR', folder)
    .split(' --')
    .map((text, at) => (at === 0 ? text : `--${text}`));
  const [theirs, ours] = [await startReference(flags, folder, etcd.url, folder), await startHere(flags, folder)];
  const lines = differences(theirs, ours);
  report.note(part, flag, lines, explanation(flag) !== undefined);
}

/**
 * The reference gives the first error, or all of one kind in brackets; this server gives all, and may name flag and
 * value before the reference's text. A file that is not there is told with its flag and the remedy.
 */
function differences(theirs: Outcome, ours: Outcome): string[] {
  const lines = theirs.code === ours.code ? [] : [`exit code: want ${theirs.code} have ${ours.code}`];
  if (theirs.error === undefined) return ours.errors.length === 0 ? lines : [...lines, ...ours.errors];
  const { error } = theirs;
  const isTold = ours.errors.some(
    (text) =>
      text.endsWith(error) || error.endsWith(`: ${text}`) || (isMissingFile.test(error) && namesMissingFile.test(text)),
  );
  const isWhole = `[${ours.errors.join(', ')}]` === error;
  return isTold || isWhole ? lines : [...lines, `want ${error}`, ...ours.errors.map((text) => `have ${text}`)];
}

/** Files that are wrong, of each kind. */
async function compareFiles(): Promise<void> {
  for (const [index, start] of [...brokenFiles, ...brokenEncryption].entries()) {
    if (positionals.length > 0 && !positionals.some((text) => start.name.includes(text))) continue;
    const own = join(folder, String(index));
    const flags = prepareStart(start, own);
    const theirs = await startReference(flags, own, etcd.url, folder);
    const lines = differences(theirs, await startHere(flags, own));
    report.note('broken files', start.name, lines, explanation(start.name) !== undefined);
  }
}

/** Several flags together, or one with a value that matters with others. */
async function compareLines(): Promise<void> {
  for (const flags of commandLines) {
    const theirs = await startReference(flags, folder, etcd.url, folder);
    report.note('command lines', flags.join(' '), differences(theirs, await startHere(flags, folder)));
  }
}

async function compareValues(): Promise<void> {
  for (const [name, { good, wrong }] of Object.entries(flagCases)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    if (values.only !== 'wrong' && good !== undefined) await compare('good values', `--${name}=${good}`);
    if (values.only !== 'good') for (const value of wrong) await compare('wrong values', `--${name}=${value}`);
  }
}

await writeFiles(folder);
const etcd = await startEtcd(etcdProgram, join(folder, 'etcd'));
try {
  if (values.only === undefined || values.only === 'files') await compareFiles();
  if (values.only === undefined || values.only === 'lines') await compareLines();
  if (values.only !== 'files' && values.only !== 'lines') await compareValues();
} finally {
  await etcd.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report.finish();
