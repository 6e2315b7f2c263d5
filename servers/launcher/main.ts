#!/usr/bin/env node
// This file also runs under old versions of Node.js, to start the pinned version instead. So it must not statically
// import anything that old versions lack.
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatFromFlags, setProcessLines } from '#shared/observability/process-lines.ts';
import { childMarker } from '#shared/process/child-marker.ts';
import type { fileErrors } from './configuration-errors.ts';
import { envtestProgram } from './envtest-programs.ts';
import type { askForHealth, envtest, launch, prepareAlone } from './launch.ts';
import { loadBundle } from './load-bundle.ts';
import { debuggerFlags, takeNodeFlags } from './node-flags.ts';
import { findPinnedNode, isOldNode, oldestMajor, rerunWithNode, isRerun } from './pinned-node.ts';
import { forgetReadFlags } from './read-flags.ts';
import { findStarters, watchStarters } from './starters.ts';

const entry = fileURLToPath(import.meta.url);
const bundled = entry.endsWith('.js');

/** The exports of a sub-command's module. */
interface ProcessModule {
  main(argv: readonly string[]): Promise<void>;
}

interface LaunchModule {
  readonly launch: typeof launch;
  readonly askForHealth: typeof askForHealth;
  readonly prepareAlone: typeof prepareAlone;
  readonly envtest: typeof envtest;
}

/** Modules are loaded by path, since one server must not import another. All bundles are in one folder. */
const modules: Readonly<Record<string, string>> = bundled
  ? {
      store: './store.js',
      core: './core.js',
      extensions: './extensions.js',
      gateway: './gateway.js',
      controllers: './controllers.js',
      host: './host.js',
    }
  : {
      store: '../store/main.ts',
      core: '../core/main.ts',
      extensions: '../extensions/main.ts',
      gateway: '../../gateway/main.ts',
      controllers: '../controllers/main.ts',
      host: '../host/main.ts',
    };

async function load(path: string): Promise<unknown> {
  const url = new URL(path, import.meta.url);
  return bundled ? loadBundle(fileURLToPath(url)) : import(url.href);
}

async function loadLauncher(): Promise<LaunchModule> {
  return (await load(bundled ? './launch.js' : './launch.ts')) as LaunchModule;
}

/** The check of files that few servers have, with what only it needs. */
async function checkFiles(...given: Parameters<typeof fileErrors>): Promise<string[]> {
  const loaded = await load(bundled ? './configuration-errors.js' : './configuration-errors.ts');
  return await (loaded as { readonly fileErrors: typeof fileErrors }).fileErrors(...given);
}

async function main(argv: readonly string[]): Promise<void> {
  // Created files are never accessible to other users. SQLite, for one, sets no mode for the files of the store.
  process.umask(0o077);
  // For modules that are not in the bundles.
  if (bundled) nodeModule.enableCompileCache(join(dirname(entry), '.compile-cache'));
  const [command = '', ...rest] = argv;
  if (command === 'health') {
    await (await loadLauncher()).askForHealth(rest);
  } else if (command === 'keys') {
    await (await loadLauncher()).prepareAlone(command, rest);
  } else if (command === 'envtest') {
    await runEnvtest(rest);
  } else if (Object.hasOwn(modules, command)) {
    // For its children the launcher has prepared everything.
    if (process.env[childMarker] === undefined) {
      takeNodeFlags();
      // The store needs no keys; a host makes those of its clusters.
      if (command !== 'store' && command !== 'host') await (await loadLauncher()).prepareAlone(command, rest);
    }
    await ((await load(modules[command] ?? '')) as ProcessModule).main(rest);
  } else {
    await (await loadLauncher()).launch(argv, entry, checkFiles);
  }
}

/** Prints the folder of envtest's programs, or is one of them. */
async function runEnvtest(argv: readonly string[]): Promise<void> {
  const program = envtestProgram(argv);
  if (program === undefined) (await loadLauncher()).envtest(argv, entry);
  else await ((await load(modules[program.module] ?? '')) as ProcessModule).main(program.argv);
}

forgetReadFlags();
// Otherwise Node.js opens its debugger on 127.0.0.1:9229. Servers have a flag against it; this is for what starts them.
process.on('SIGUSR1', () => undefined);
// Sets the log format before any module is loaded, as loading may cause warnings of Node.js. Each bundle sets it again
// for its own copy of the module.
setProcessLines('quarterdeck', formatFromFlags(process.argv));
// Ignores write errors, so that a closed terminal or an ended reader of the log does not end the server.
for (const stream of process.env[childMarker] === undefined ? [process.stdout, process.stderr] : [process.stderr])
  stream.on('error', () => undefined);
// Children of the launcher need no watch: their IPC channel closes when the launcher ends.
if (process.env[childMarker] === undefined) watchStarters(findStarters(), () => process.kill(process.pid, 'SIGTERM'));
if (isOldNode(process.versions.node)) {
  const pinned = isRerun() ? undefined : findPinnedNode(import.meta.url);
  if (pinned === undefined) {
    process.stderr.write(
      `quarterdeck: Node.js ${oldestMajor} or later is needed, and this is ${process.versions.node}; "npm ci" installs one in a clone, "npm install node@${oldestMajor}" beside an installed package\n`,
    );
    process.exitCode = 1;
  } else rerunWithNode(pinned, [...process.execArgv, ...debuggerFlags(), entry, ...process.argv.slice(2)]);
} else await main(process.argv.slice(2));
