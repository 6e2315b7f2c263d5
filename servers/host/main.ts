import { join } from 'node:path';
import { formatFromFlags, setProcessLines } from '#shared/observability/process-lines.ts';
import { letYoungGenerationGrow } from '#shared/process/young-generation.ts';
import { guardJsonParse } from '#shared/serializer/json/safe-parse.ts';
import { surviveRequestFaults } from '#shared/server/uncaught-faults.ts';
import type { HostAnswer, HostCall } from './client/messages.ts';
import { runKubeApiserver } from './envtest-apiserver.ts';
import { makeHostFolder } from './host-folder.ts';
import { Host } from './host.ts';
import { OwnOutput } from './own-output.ts';
import { makeRepeatable } from './repeatable.ts';
import { serveSocket } from './serve-socket.ts';

/**
 * Runs clusters for the process that started this one, as it asks on the channel between them: `quarterdeck host`. It
 * ends with that process, however that ended, and nothing of it is left. With `kube-apiserver FOLDER FLAGS` it is that
 * program of envtest.
 */
export async function main(argv: readonly string[]): Promise<void> {
  guardJsonParse();
  const [program = 'host', programs = '', ...flags] = argv;
  setProcessLines(program, formatFromFlags(argv));
  if (process.send === undefined) {
    if (program === 'kube-apiserver') {
      surviveRequestFaults();
      await runKubeApiserver(programs, flags);
      return;
    }
    process.stderr.write('quarterdeck host is started by startCluster() of tests, which tells it what to do\n');
    process.exitCode = 1;
    return;
  }
  surviveRequestFaults();
  const folder = makeHostFolder();
  const host = new Host(folder.path, new OwnOutput(), makeRepeatable(argv));
  process.on('exit', () => folder.remove());
  const end = (): void => process.exit(0);
  process.on('disconnect', end);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  const answer = answerer(host, join(folder.path, 'host.sock'));
  process.on('message', (call: HostCall) => {
    // A process that is gone takes no answer; `disconnect` follows.
    void answer(call).then((answered) => process.send?.(answered, () => undefined));
  });
}

/** Answers the calls of one host, which listens at `socket` when it is asked to. */
function answerer(host: Host, socket: string): (call: HostCall) => Promise<HostAnswer> {
  let listening: Promise<void> | undefined;
  const answer = async ({ id, method, parameters }: HostCall): Promise<HostAnswer> => {
    try {
      if (method === 'listen') {
        await (listening ??= serveSocket(socket, answer));
        return { id, result: socket };
      }
      const run = host[method].bind(host) as (...given: readonly unknown[]) => unknown;
      const result = await run(...parameters);
      // The first cluster is the whole start of a host.
      if (method === 'start') letYoungGenerationGrow();
      return { id, result };
    } catch (error) {
      return { id, error: error instanceof Error ? error.message : String(error) };
    }
  };
  return answer;
}
