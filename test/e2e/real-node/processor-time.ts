// Processor time of all server processes for streams to a real node, on the reference and on this server in one run:
// a command's output of 200 MB, the command `true`, GETs through the proxy of a pod.
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/real-node/processor-time.ts TOOLS [--kubectl PROGRAM]
// TOOLS as for run.ts. It needs a quiet machine. What the servers do without it is measured before, and taken off.
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuMs } from '#test/benchmark/processes.ts';
import { referenceProgram } from '#test/reference.ts';
import { startRealNode } from './node.ts';
import { createObjects, namespace } from './objects.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { kubectl: { type: 'string', default: referenceProgram('kubectl') ?? 'kubectl' } },
});
const [tools = ''] = positionals;
const pod = ['-n', namespace, 'exec', 'shell', '-c', 'c', '--'];
const idleMs = 10_000;
const proxied = `https://10.99.0.1:6443/api/v1/namespaces/${namespace}/pods/web:8080/proxy/hostname`;

interface Work {
  readonly name: string;
  /** Of the reference's processor time. */
  readonly share: number;
  readonly times: number;
  readonly command: readonly string[];
}

const works: readonly Work[] = [
  {
    name: 'exec, 200 MB out',
    share: 0.8,
    times: 3,
    command: [flags.kubectl, ...pod, 'head', '-c', '200000000', '/dev/zero'],
  },
  { name: 'exec of true', share: 1, times: 40, command: [flags.kubectl, ...pod, 'true'] },
  {
    name: '2000 GETs of a pod by its proxy',
    share: 0.5,
    times: 3,
    command: ['curl', '-sk', '-H', 'Authorization: Bearer tok-admin', `${proxied}?[1-2000]`],
  },
];

/** Milliseconds that one of the works takes, by its name. */
async function measured(project: string | undefined): Promise<Map<string, number>> {
  const node = await startRealNode(tools, project);
  const found = new Map<string, number>();
  try {
    await createObjects(node, flags.kubectl);
    const pids = node.serverPids();
    const timed = async (work: () => Promise<unknown>): Promise<{ cpu: number; took: number }> => {
      const [cpu, begun] = [cpuMs(pids), performance.now()];
      await work();
      return { cpu: cpuMs(pids) - cpu, took: performance.now() - begun };
    };
    const idle = await timed(async () => await pause(idleMs));
    for (const { name, times, command } of works) {
      const again = async (): Promise<void> => {
        const { code, stderr } = await node.run(['sh', '-c', 'exec "$@" > /dev/null', 'sh', ...command]);
        if (code !== 0) throw new Error(`${name}: ${code} ${stderr}`);
      };
      await again();
      const { cpu, took } = await timed(async () => {
        for (let at = 0; at < times; at++) await again();
      });
      found.set(name, (cpu - (idle.cpu * took) / idle.took) / times);
      console.log(`${project === undefined ? 'reference' : 'ours'}: ${name}: ${found.get(name)?.toFixed(1)} ms`);
    }
  } finally {
    await node.close();
  }
  return found;
}

const [theirs, ours] = [await measured(undefined), await measured(resolve('.'))];
for (const { name, share } of works) {
  const [wanted = 0, have = 0] = [theirs.get(name), ours.get(name)];
  const ratio = have / wanted;
  console.log(
    `${ratio <= share ? 'within' : 'ABOVE '} ${name}: ${have.toFixed(1)} ms, reference ${wanted.toFixed(1)} ms: ${ratio.toFixed(2)} of at most ${share}`,
  );
  if (!(ratio <= share)) process.exitCode = 1;
}
