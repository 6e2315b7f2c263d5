// Compares what this server and the reference say of flags that they do not start with:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/versions/run-wrong-flags.ts
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { Report } from '#test/compare/report.ts';
import { referenceProgram } from '#test/reference.ts';
import { wrongRanges } from './address-forms.ts';
import { wrongFlags } from './flag-forms.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrong-flags-'));
const pki = pkiPaths(join(folder, 'pki'));
await ensureServiceAccountKeys(pki);
const program = referenceProgram('kube-apiserver');
if (program === undefined) throw new Error('REFERENCE_BIN holds no kube-apiserver');
const launcher = join(
  process.env['QUARTERDECK_DIST'] ?? resolve(import.meta.dirname, '../../../dist'),
  'quarterdeck.js',
);
const needed = [
  '--etcd-servers=http://127.0.0.1:1',
  '--secure-port=1',
  `--cert-dir=${folder}`,
  `--service-account-key-file=${pki.serviceAccountPublicKey}`,
  `--service-account-signing-key-file=${pki.serviceAccountKey}`,
  '--service-account-issuer=https://a.b',
];

const report = new Report();
for (const flags of [...wrongFlags, ...wrongRanges]) {
  const [ours, theirs] = [ourErrors(flags), theirError(flags)];
  report.note('command lines', flags.join(' '), sameErrors(ours, theirs) ? [] : [`want ${theirs}`, ...ours]);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = report.finish();

function ourErrors(flags: readonly string[]): string[] {
  const { stderr } = spawnSync(
    process.execPath,
    [launcher, '--data-dir', join(folder, 'data'), '--secure-port=1', ...flags],
    { encoding: 'utf8', timeout: 20_000 },
  );
  return [...stderr.matchAll(/^error: (.*)$/gm)].map((match) => match[1] ?? '');
}

/** As the last line of the log has it. */
function theirError(flags: readonly string[]): string {
  const { stderr } = spawnSync(program ?? '', [...needed, ...flags], { encoding: 'utf8', timeout: 20_000 });
  const text = /"command failed" err="((?:[^"\\]|\\.)*)"/.exec(stderr)?.[1];
  return text === undefined ? (stderr.trim().split('\n').at(-1) ?? '') : (JSON.parse(`"${text}"`) as string);
}

/** Several are one text in brackets, in any order. */
function sameErrors(ours: readonly string[], theirs: string): boolean {
  const [first = ''] = ours;
  if (ours.length < 2) return first === theirs;
  return ours.every((error) => theirs.includes(error)) && theirs.length === ours.join(', ').length + 2;
}
