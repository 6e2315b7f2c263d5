// Packs what `dist/` holds and installs it, as a user would from the registry.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..', '..');

/** What a command printed, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. `node` is the Node.js that it finds first, by default the one that runs this. */
export async function runIn(
  cwd: string,
  file: string,
  args: readonly string[],
  { node = process.execPath, env = {} }: { readonly node?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  return promisify(execFile)(file, args, { cwd, env: { ...environmentFor(node), ...env }, maxBuffer: 1 << 28 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

/** The environment of a user whose Node.js this is, without what npm and a test run set. */
export function environmentFor(node: string): NodeJS.ProcessEnv {
  const own = /^(?:npm_|QUARTERDECK_|NODE_(?:OPTIONS|PATH|TEST_CONTEXT|V8_COVERAGE)$)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  const paths = (process.env['PATH'] ?? '').split(':').filter((path) => !path.includes('node_modules'));
  return { ...env, PATH: [dirname(node), ...paths].join(':') };
}

/** @returns the path of the package's file */
export async function pack(folder: string): Promise<string> {
  const { code, stdout, stderr } = await runIn(root, 'npm', [
    'pack',
    '--ignore-scripts',
    '--json',
    '--pack-destination',
    folder,
  ]);
  if (code !== 0) throw new Error(`npm pack failed:\n${stderr}`);
  const [, name = ''] = /"filename": "([^"]+)"/.exec(stdout) ?? [];
  return join(folder, name);
}

/** Installs packages into a new project in a folder. */
export async function installInto(folder: string, ...packages: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "private": true }\n');
  const { code, stderr } = await runIn(folder, 'npm', ['install', '--no-audit', '--no-fund', ...packages]);
  if (code !== 0) throw new Error(`npm install failed:\n${stderr}`);
}

/** Another Node.js from the registry; resolves with its path. */
export async function installNode(folder: string, version: string): Promise<string> {
  await installInto(folder, `node@${version}`);
  const { bin } = JSON.parse(readFileSync(join(folder, 'node_modules', 'node', 'package.json'), 'utf8')) as {
    readonly bin: { readonly node: string };
  };
  return join(folder, 'node_modules', 'node', bin.node);
}
