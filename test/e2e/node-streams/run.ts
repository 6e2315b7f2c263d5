// kubectl reads logs, runs commands, attaches and forwards ports on nodes that kwok plays, by WebSocket and by SPDY, on
// this server and on the reference; outputs and exit codes must be equal:
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/node-streams/run.ts
// kwok declares no features, so that WebSockets are translated to SPDY. It runs commands on this machine, and does not
// tell them the end of their input: they read as much as they need.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram, startReference } from '#test/reference.ts';
import { Kubectl, type Outcome } from './kubectl.ts';
import { startNode } from './kwok-node.ts';

const transports = ['WebSocket', 'SPDY'] as const;
const size = 30_000_000;

const folder = mkdtempSync(join(tmpdir(), 'node-streams-'));
const bytes = randomBytes(size);
/** What ports of pods are forwarded to: says everything back. */
const echo = createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket));
echo.listen(0, '127.0.0.1');

type Step = readonly [name: string, run: (kubectl: Kubectl) => Promise<Outcome | string>];

/** `own`: a folder that no other run of the steps uses. */
function steps(own: string): Step[] {
  const run = (name: string, ...args: string[]): Step => [name, (kubectl) => kubectl.run(args)];
  const shell = (name: string, script: string, ...flags: string[]): Step =>
    run(name, 'exec', ...flags, 'pod', '--', 'sh', '-c', script);
  return [
    run('the log', 'logs', 'pod'),
    run('its end', 'logs', 'pod', '--tail=2'),
    run('its beginning', 'logs', 'pod', '--limit-bytes=7'),
    run('of a container that there is not', 'logs', 'pod', '-c', 'nope'),
    run('of a pod that there is not', 'logs', 'nope'),
    run('of a pod with two containers', 'logs', 'two'),
    run('of one of them', 'logs', 'two', '-c', 'd'),
    // kubectl takes the containers in the random order of a Go map.
    [
      'of all of them, with their names',
      async (kubectl) => sortedLines(await kubectl.run(['logs', 'two', '--all-containers', '--prefix'])),
    ],
    run('with both bounds of time', 'logs', 'pod', '--since=1s', '--since-time=2024-01-02T03:04:05Z'),
    run(
      'as followed for a moment',
      'logs',
      'pod',
      '--follow',
      '--tail=1',
      '--limit-bytes=4',
      '--pod-running-timeout=1s',
      '--request-timeout=3s',
    ),
    shell('a command', 'echo hello'),
    shell('its exit code', 'echo hello; exit 3'),
    shell('both outputs', 'echo out; echo err >&2; exit 1'),
    run('a command that there is not', 'exec', 'pod', '--', '/nope'),
    run('in a container that there is not', 'exec', 'pod', '-c', 'nope', '--', 'true'),
    shell('a terminal', 'echo in a terminal', '-t'),
    [
      'much input, its sum',
      (kubectl) => kubectl.run(['exec', '-i', 'pod', '--', 'sh', '-c', `head -c ${size} | md5sum`], bytes),
    ],
    shell('much output', `head -c ${size} /dev/zero`),
    // kwok closes the connection when the command ends, with the end of the input unread: what it did not send yet is
    // lost then.
    [
      'much both ways',
      (kubectl) => kubectl.run(['exec', '-i', 'pod', '--', 'sh', '-c', `head -c ${size}; sleep 1`], bytes),
    ],
    run('a file from there', 'cp', `pod:${join(folder, 'file')}`, join(own, 'copy')),
    shell('is the same', `cmp ${join(own, 'copy')} ${join(folder, 'file')} && echo same`),
    ['attached', (kubectl) => kubectl.run(['attach', 'pod', '--request-timeout=3s'], undefined, 3_000)],
    ['twenty connections to a port', (kubectl) => kubectl.forward('pod', 20, bytes.subarray(0, 200_000))],
    run('a port that is none', 'port-forward', 'pod', '0:99999'),
  ];
}

function sortedLines(outcome: Outcome): Outcome {
  return { ...outcome, stdout: outcome.stdout.split('\n').toSorted().join('\n') };
}

async function outcomes(server: 'ours' | 'theirs'): Promise<string[]> {
  const target = server === 'ours' ? await startCluster({ bundled: true }) : await startReference();
  const node = await startNode(target, join(folder, server), (echo.address() as AddressInfo).port);
  const lines: string[] = [];
  try {
    for (const transport of transports) {
      const own = join(folder, server, transport);
      mkdirSync(own, { recursive: true });
      const kubectl = new Kubectl(target.kubeconfig, transport);
      for (const [name, run] of steps(own)) {
        const outcome = await run(kubectl);
        const text = typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
        lines.push(
          `${transport}, ${name}: ${text.replaceAll(join(folder, server), 'FOLDER').replaceAll(folder, 'FOLDER').replaceAll(target.url, 'SERVER')}`,
        );
      }
    }
  } finally {
    await node.close();
    await target.close();
  }
  return lines;
}

const missing = (['kube-apiserver', 'etcd', 'kubectl', 'kwok'] as const).filter(
  (name) => referenceProgram(name) === undefined,
);
if (missing.length > 0) throw new Error(`REFERENCE_BIN has no ${missing.join(', ')}`);
writeFileSync(join(folder, 'file'), bytes.subarray(0, 3_000_000));
let different = 0;
try {
  const [ours, theirs] = [await outcomes('ours'), await outcomes('theirs')];
  for (const [index, line] of theirs.entries()) {
    const equal = ours[index] === line;
    if (!equal) different++;
    console.log(`${equal ? 'equal  ' : 'DIFFERS'} ${line.slice(0, 400)}`);
    if (!equal) console.log(`   ours ${ours[index]?.slice(0, 400)}`);
  }
  console.log(`${theirs.length} steps, ${different} differences`);
} finally {
  echo.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = different > 0 ? 1 : 0;
