import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { childMarker } from '#shared/process/child-marker.ts';
import { processSockets, withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { socketFolder } from '#shared/process/socket-folder.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import type { HostedCluster } from './hosted-cluster.ts';

const readyLine = /quarterdeck is ready at (\S+) after \d+ ms, KUBECONFIG=([^"\n]+)/;
/** Open watches would hold back the end for a minute. */
const quickEnd = '--shutdown-watch-termination-grace-period=1s';
const keptCharacters = 64 * 1024;

/**
 * Starts a cluster as `npm start` does, each server a process of its own, as children of this process.
 * @throws Error (as a rejection) with what the processes wrote, if it does not start
 */
export async function startSeparateCluster(dataDir: string, flags: readonly string[]): Promise<HostedCluster> {
  const all = ['--data-dir', dataDir, '--secure-port=0', quickEnd, ...flags];
  const { options: parsed, given, errors } = parseServerOptions(all);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const [, program = ''] = process.argv;
  // It ends with this process, since it is none of the children that have a channel to their launcher.
  const launcher = spawn(process.execPath, [...loaders(), program, ...all], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, [childMarker]: undefined },
  });
  const onExit = (): boolean => launcher.kill('SIGTERM');
  process.once('exit', onExit);
  const ended = once(launcher, 'exit');
  let output = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptCharacters);
      const match = readyLine.exec(output);
      if (match !== null) resolve(match);
    });
  void ended.then(() => {
    process.off('exit', onExit);
    reject(new Error(`the cluster ended before it was ready; its processes said last:\n${output}`));
  });
  const [, url = '', kubeconfig = ''] = await ready;
  const options = withDataDirectoryDefaults(parsed, given);
  return {
    url,
    kubeconfig,
    dataDir,
    flags,
    options,
    sockets: processSockets(await socketFolder(dataDir), true),
    requests: undefined,
    ...withoutStore,
    async close() {
      launcher.kill('SIGTERM');
      await ended;
    },
  };
}

function refuse(): never {
  throw new Error('the store of a cluster of separate processes is not in this process');
}

/** What needs the store of the host, which refuses calls for it before (`host.ts`). */
const withoutStore: Pick<HostedCluster, 'store' | 'controllers' | 'undisturbed' | 'followed'> = {
  store: {
    mark: refuse,
    release: refuse,
    rollBack: refuse,
    image: refuse,
    adopt: refuse,
    raiseTo: refuse,
  },
  controllers: { settled: async () => undefined },
  undisturbed: (work) => work(),
  followed: async () => undefined,
};

/** What runs sources: `--import tsx`. */
function loaders(): readonly string[] {
  return process.execArgv.filter((flag, at, all) => flag === '--import' || all[at - 1] === '--import');
}
