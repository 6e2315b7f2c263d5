#!/usr/bin/env node
// This file also runs under old versions of Node.js, which then hand over to the pinned one: no static import of what
// they lack.
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatFromFlags, setProcessLines } from '../../shared/observability/process-lines.ts';
import { childMarker } from '../../shared/process/child-marker.ts';
import type { askForHealth, launch, prepareAlone } from './launch.ts';
import { loadBundle } from './load-bundle.ts';
import { findPinnedNode, isOldNode, oldestMajor, runAgainUnder, wasHandedOver } from './pinned-node.ts';
import { takeStack } from './stack-size.ts';
import { findStarters, watchStarters } from './starters.ts';

const entry = fileURLToPath(import.meta.url);
const bundled = entry.endsWith('.js');

/** What a sub-command's module exports. */
interface ProcessModule {
  main(argv: readonly string[]): Promise<void>;
}

interface LaunchModule {
  readonly launch: typeof launch;
  readonly askForHealth: typeof askForHealth;
  readonly prepareAlone: typeof prepareAlone;
}

/** Modules are found by path, since one server must not import another; the bundles lie side by side. */
const modules: Readonly<Record<string, string>> = bundled
  ? { store: './store.js', core: './core.js', extensions: './extensions.js', gateway: './gateway.js' }
  : {
      store: '../store/main.ts',
      core: '../core/main.ts',
      extensions: '../extensions/main.ts',
      gateway: '../../gateway/main.ts',
    };

async function load(path: string): Promise<unknown> {
  const url = new URL(path, import.meta.url);
  return bundled ? loadBundle(fileURLToPath(url)) : import(url.href);
}

async function loadLauncher(): Promise<LaunchModule> {
  return (await load(bundled ? './launch.js' : './launch.ts')) as LaunchModule;
}

async function main(argv: readonly string[]): Promise<void> {
  // Whatever mode a file is made with, it is nobody else's: the store's, among others, gets none by itself.
  process.umask(0o077);
  // For what is no part of the bundles.
  if (bundled) nodeModule.enableCompileCache(join(dirname(entry), '.compile-cache'));
  const [command = '', ...rest] = argv;
  if (command === 'health') {
    await (await loadLauncher()).askForHealth(rest);
  } else if (command === 'keys') {
    await (await loadLauncher()).prepareAlone(command, rest);
  } else if (Object.hasOwn(modules, command)) {
    // Of a child of the launcher everything is prepared; the store needs no keys, and reads nothing that is deep.
    const isAlone = command !== 'store' && process.env[childMarker] === undefined;
    if (isAlone) {
      takeStack();
      await (await loadLauncher()).prepareAlone(command, rest);
    }
    await ((await load(modules[command] ?? '')) as ProcessModule).main(rest);
  } else {
    await (await loadLauncher()).launch(argv, entry);
  }
}

// Before anything is loaded, which may make Node.js warn; the bundles say it once more for themselves.
setProcessLines('quarterdeck', formatFromFlags(process.argv));
// A terminal that is closed, or a reader of the log that ended, is no reason to drop what is being served.
for (const stream of process.env[childMarker] === undefined ? [process.stdout, process.stderr] : [process.stderr])
  stream.on('error', () => undefined);
// Not for children of the launcher: they learn by their IPC channel when it ends.
if (process.env[childMarker] === undefined) watchStarters(findStarters(), () => process.kill(process.pid, 'SIGTERM'));
if (isOldNode(process.versions.node)) {
  const pinned = wasHandedOver() ? undefined : findPinnedNode(import.meta.url);
  if (pinned === undefined) {
    process.stderr.write(
      `quarterdeck: Node.js ${oldestMajor} or later is needed, and this is ${process.versions.node}; "npm ci" installs one in a clone, "npm install node@${oldestMajor}" beside an installed package\n`,
    );
    process.exitCode = 1;
  } else runAgainUnder(pinned, [...process.execArgv, entry, ...process.argv.slice(2)]);
} else await main(process.argv.slice(2));
