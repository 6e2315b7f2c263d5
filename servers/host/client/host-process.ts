import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkProcess } from '#servers/launcher/fork-process.ts';
import { isOldNode, oldestMajor } from '#servers/launcher/pinned-node.ts';
import { HostCalls } from './host-calls.ts';
import type { HostAnswer } from './messages.ts';

/** What the servers said last, for errors. */
const keptCharacters = 64 * 1024;
const here = fileURLToPath(import.meta.url);
const root = join(dirname(here), '..', '..', '..');

/** A process in which clusters run, a child of this one that ends with it. */
export interface HostProcess {
  readonly calls: HostCalls;
  /** What its servers wrote last. */
  readonly output: string;
  /** Ends it with all its clusters; resolves when it is gone. */
  end(): Promise<void>;
}

/**
 * @param argv options of `quarterdeck host`
 * @throws Error if this Node.js is too old for the servers
 */
export function startHostProcess(argv: readonly string[] = []): HostProcess {
  if (isOldNode(process.versions.node))
    throw new Error(`quarterdeck needs Node.js ${oldestMajor} or later, and this is ${process.versions.node}`);
  const child = forkProcess({
    ...findProgram(),
    argv: ['host', ...argv],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: false,
    // What a runner gives its workers, such as loaders and the measuring of coverage, is not for the servers.
    env: { NODE_OPTIONS: undefined, NODE_V8_COVERAGE: undefined },
  });
  let output = '';
  const handles = (): readonly unknown[] => [child, child.channel, child.stdout, child.stderr];
  const calls = new HostCalls({
    send: (call) => child.send(call),
    hold: () => {
      child.ref();
      child.channel?.ref();
    },
    rest: () => {
      for (const handle of handles()) (handle as { unref?: () => void } | null | undefined)?.unref?.();
    },
  });
  const words = (how: string) => () => new Error(`the process of the clusters ${how}; it said last:\n${output}`);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptCharacters);
    });
  child.on('message', (message: HostAnswer) => calls.settle(message));
  const ended = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      calls.end(words(`ended (${signal ?? code})`));
      resolve();
    });
    child.on('error', (error) => {
      calls.end(words(`could not be started: ${error.message}`));
      resolve();
    });
  });
  return {
    calls,
    get output() {
      return output;
    },
    async end() {
      child.ref();
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/**
 * The bundle that is beside the bundle of this file, or in a clone in dist/, or else the sources. QUARTERDECK_DIST
 * names the folder of other bundles.
 */
function findProgram(): { readonly entry: string; readonly execArgv: readonly string[] } {
  const isBundled = here.endsWith('.cjs');
  const dist = process.env['QUARTERDECK_DIST'] ?? (isBundled ? dirname(dirname(here)) : join(root, 'dist'));
  const bundle = join(dist, 'quarterdeck.js');
  if (isBundled || existsSync(bundle)) return { entry: bundle, execArgv: [] };
  return { entry: join(root, 'servers', 'launcher', 'main.ts'), execArgv: ['--import', 'tsx'] };
}
