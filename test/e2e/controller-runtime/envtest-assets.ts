import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { referenceProgram } from '#test/reference.ts';

/** The folder of the reference's programs and of tests that were built from Go modules. */
export const referenceBin =
  process.env['REFERENCE_BIN'] ??
  join(process.env['REFERENCE_ROOT'] ?? join(homedir(), '.cache', 'kubernetes-reference'), 'bin');

const bundle = join(
  process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '..', '..', '..', 'dist'),
  'quarterdeck.js',
);

/** Folders for `KUBEBUILDER_ASSETS`. */
export type EnvtestAssets = Readonly<Record<'reference' | 'ours', string>>;

/** Makes both below a folder: ours is the one that `quarterdeck envtest` prints. */
export function prepareAssets(folder: string): EnvtestAssets {
  const reference = join(folder, 'reference');
  mkdirSync(reference);
  for (const name of ['etcd', 'kube-apiserver', 'kubectl'] as const) {
    const program = referenceProgram(name);
    if (program === undefined) throw new Error(`REFERENCE_BIN holds no ${name}`);
    symlinkSync(program, join(reference, name));
  }
  const env = { ...process.env, XDG_CACHE_HOME: folder, PATH: `${reference}:${process.env['PATH'] ?? ''}` };
  return { reference, ours: execFileSync(process.execPath, [bundle, 'envtest'], { env, encoding: 'utf8' }).trim() };
}
