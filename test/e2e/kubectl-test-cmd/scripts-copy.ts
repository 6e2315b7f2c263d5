import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { referenceProgram } from '#test/reference.ts';

/** What the scripts read, of upstream's source. */
const folders = [
  'hack',
  'test/cmd',
  'test/fixtures/doc-yaml',
  'test/fixtures/pkg/kubectl',
  'test/e2e/testing-manifests',
  'third_party/forked/shell2junit',
];

/** The path `/tmp/` or `/var/tmp/`, where it is the beginning of a path. */
const fixedTemporaryFolder = /(?<![\w}.])\/(?:var\/)?tmp\//g;

/** Upstream's source at GitHub: the scripts read one of the files that lie beside them from there. */
const sourceAtGitHub = 'https://raw.githubusercontent.com/kubernetes/kubernetes/master/';

/** A folder in which upstream's scripts run: they write beside themselves, and to fixed names of `/tmp`. */
export interface ScriptsCopy {
  readonly folder: string;
  /** TMPDIR of the scripts, and what they find in the place of `/tmp`. */
  readonly temporary: string;
}

/** Copies the scripts of upstream's source to `folder`, so that two copies can be run beside each other. */
export function copyScripts(source: string, folder: string): ScriptsCopy {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  for (const name of folders) cpSync(join(source, name), join(folder, name), { recursive: true });
  for (const name of ['test/cmd', 'third_party/forked/shell2junit'])
    for (const file of readdirSync(join(folder, name)).filter((each) => each.endsWith('.sh'))) {
      const path = join(folder, name, file);
      const text = readFileSync(path, 'utf8').replaceAll(fixedTemporaryFolder, `${temporary}/`);
      writeFileSync(path, text.replaceAll(sourceAtGitHub, ''));
    }
  // A Go module says of no file that it can be run.
  const plugins = join(folder, 'test/fixtures/pkg/kubectl/plugins');
  for (const file of readdirSync(plugins, { recursive: true, withFileTypes: true }))
    if (file.isFile()) chmodSync(join(file.parentPath, file.name), 0o755);
  const programs = join(folder, '_output', 'bin');
  mkdirSync(programs, { recursive: true });
  for (const name of ['kubectl', 'kubectl-convert'] as const) {
    const program = referenceProgram(name);
    if (program !== undefined) symlinkSync(program, join(programs, name));
  }
  return { folder, temporary };
}

/** The functions that upstream's legacy-script.sh runs, in its order, with what it does between them as `runTests`. */
export function functionsOf(source: string): string[] {
  const path = join(source, 'test', 'cmd', 'legacy-script.sh');
  if (!existsSync(path)) throw new Error(`${path} is not there: REFERENCE_ROOT must hold upstream's source`);
  const text = readFileSync(path, 'utf8');
  const names = text.matchAll(/^\s+record_command (run_\w+)$/gm);
  return [...new Set([...names].map(([, name = '']) => name)), 'runTests'];
}
