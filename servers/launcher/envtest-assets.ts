import { hash } from 'node:crypto';
import { accessSync, chmodSync, constants, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensurePrivateFolder } from '#shared/files/private-folder.ts';
import { usingFile } from '#shared/files/unusable-file.ts';
import { printFlagErrors } from '#shared/observability/process-lines.ts';
import { childFlags } from './node-flags.ts';
import { nodeWithStack } from './stack-size.ts';

const usage = `Usage:
  export KUBEBUILDER_ASSETS=$(npx quarterdeck envtest)

Prints a folder with kube-apiserver and etcd for controller-runtime's envtest, and with the kubectl of PATH.
`;

/**
 * `quarterdeck envtest`: prints the path of a folder with programs by envtest's names, which start this product under
 * this Node.js. It is in the user's cache, and is the same one each time.
 */
export function envtest(argv: readonly string[], entry: string): void {
  if (argv.length > 0) {
    const asks = argv[0] === '--help' || argv[0] === '-h';
    (asks ? process.stdout : process.stderr).write(
      asks ? usage : `unexpected argument ${JSON.stringify(argv[0])}\n${usage}`,
    );
    if (!asks) process.exitCode = 1;
    return;
  }
  try {
    process.stdout.write(`${writeAssets(entry, process.env)}\n`);
  } catch (error) {
    printFlagErrors([`${(error as Error).message} (the user's cache, which XDG_CACHE_HOME names)`]);
    process.exitCode = 1;
  }
}

/**
 * @returns the folder's path
 * @throws UnusableFileError
 */
function writeAssets(entry: string, env: NodeJS.ProcessEnv): string {
  const { file, args } = nodeWithStack([]);
  const command = [file, ...args, ...process.execArgv, ...childFlags(process.execArgv), entry, 'envtest'];
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(cache, 'quarterdeck', `envtest-${hash('sha256', command.join('\0')).slice(0, 12)}`);
  ensurePrivateFolder(join(cache, 'quarterdeck'));
  ensurePrivateFolder(folder);
  for (const name of ['kube-apiserver', 'etcd'])
    replace(join(folder, name), (path) => {
      writeFileSync(path, `#!/bin/sh\nexec ${[...command, name, folder].map(quoted).join(' ')} "$@"\n`);
      chmodSync(path, 0o755);
    });
  const kubectl = findProgram('kubectl', env['PATH'] ?? '');
  if (kubectl !== undefined) replace(join(folder, 'kubectl'), (path) => symlinkSync(kubectl, path));
  return folder;
}

/** Puts a file in its place as a whole: others may run it meanwhile. */
function replace(path: string, write: (temporary: string) => void): void {
  const temporary = `${path}.${process.pid}`;
  usingFile(path, () => {
    write(temporary);
    renameSync(temporary, path);
  });
}

function findProgram(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** As one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
