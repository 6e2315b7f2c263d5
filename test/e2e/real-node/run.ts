// kubectl on a real node (kubelet, containerd, runc, kube-proxy), by WebSocket and by SPDY, on this server and on
// the reference: logs, exec, terminals, attach, cp, port-forward, debug, proxies, top. Outputs and exit codes must be
// equal.
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/real-node/run.ts TOOLS KUBECTL… [--only REGEXP]
// TOOLS is the folder of a script up.sh that starts such a node in namespaces of its own (it needs root), `reference`
// or `project FOLDER`, and prints `ready: FOLDER/enter …`, a command that runs others inside. The project's bundle is
// run.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { referenceProgram } from '#test/reference.ts';
import { startRealNode, type RealNode } from './node.ts';
import { createObjects } from './objects.ts';
import { steps } from './steps.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
});
const [tools, ...kubectls] = positionals;
if (tools === undefined || kubectls.length === 0) throw new Error('The tools and a kubectl are to be named.');
const metricsServer = referenceProgram('metrics-server');
if (metricsServer === undefined) console.log('LEFT OUT: top, for REFERENCE_BIN has no metrics-server');

/** Of the node in its own network. */
const address = '10.99.0.1';
const metricsPort = 4443;
const folder = mkdtempSync(join(tmpdir(), 'real-node-'));
const [kubectl] = kubectls;

function startMetricsServer(node: RealNode, program: string): void {
  const flags = [
    `--secure-port ${metricsPort} --cert-dir ${folder}/metrics --kubelet-insecure-tls --metric-resolution 10s`,
    '--kubelet-preferred-address-types InternalIP',
    ...['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map((name) => `--${name} $KUBECONFIG`),
  ];
  node.start(['sh', '-c', `exec ${program} ${flags.join(' ')}`]);
}

async function prepare(node: RealNode): Promise<void> {
  if (metricsServer !== undefined) startMetricsServer(node, metricsServer);
  await createObjects(node, kubectl ?? '', metricsServer === undefined ? undefined : { address, port: metricsPort });
}

async function outcomes(server: 'reference' | 'ours'): Promise<Map<string, string>> {
  const node = await startRealNode(tools ?? '', server === 'ours' ? resolve('.') : undefined);
  const texts = new Map<string, string>();
  try {
    await prepare(node);
    for (const [at, program] of kubectls.entries()) {
      for (const transport of ['WebSocket', 'SPDY'] as const) {
        const own = join(folder, server, `${at}-${transport}`);
        mkdirSync(own, { recursive: true });
        for (const [name, run] of steps(node, { kubectl: program, transport }, own)) {
          if (!new RegExp(flags.only).test(name) || (metricsServer === undefined && name.startsWith('top '))) continue;
          const outcome = await run();
          const text = typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
          texts.set(
            `${at} ${basename(program)} ${transport}, ${name}`,
            text.replaceAll(join(folder, server), 'FOLDER'),
          );
        }
      }
    }
  } finally {
    await node.close();
  }
  return texts;
}

try {
  const theirs = await outcomes('reference');
  const ours = await outcomes('ours');
  let different = 0;
  for (const [name, text] of theirs) {
    const equal = ours.get(name) === text;
    if (!equal) different++;
    console.log(`${equal ? 'equal  ' : 'DIFFERS'} ${name}: ${text.slice(0, 400)}`);
    if (!equal) console.log(`   ours ${ours.get(name)?.slice(0, 400)}`);
  }
  console.log(`${theirs.size} steps, ${different} differences`);
  process.exitCode = different > 0 || theirs.size === 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
