// Real operators are installed by their own manifests, run as processes, and used:
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/operators/run.ts [--reference] [cert-manager | gatekeeper | kyverno]…
// on a fresh cluster each, with upstream's controller manager. `--reference` does the same on the upstream
// kube-apiserver, to prove that what is expected holds there. Needs leave to make a network namespace (unshare), since
// Endpoints may hold no loopback address.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { startCluster } from '#test/cluster.ts';
import { controllerManagerFlags } from '#test/e2e/controllers/control-plane.ts';
import { Kubectl } from '#test/e2e/registered-servers/kubectl.ts';
import { JsonClient } from '#test/json-client.ts';
import { inOwnNetwork, ownAddress } from '#test/own-network.ts';
import { startProgram } from '#test/program.ts';
import { referenceProgram, startReference, type ReferenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { certManager } from './cert-manager.ts';
import { gatekeeper } from './gatekeeper.ts';
import { kyverno } from './kyverno.ts';
import type { Operator, Site } from './operator.ts';
import { ProcessNode } from './process-node.ts';

const operators: readonly Operator[] = [certManager, gatekeeper, kyverno];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { reference: { type: 'boolean', default: false }, inside: { type: 'boolean', default: false } },
});
const built = join(
  process.env['REFERENCE_BIN'] ??
    join(process.env['REFERENCE_ROOT'] ?? join(homedir(), '.cache', 'kubernetes-reference'), 'bin'),
  'operators',
);

function program(name: ReferenceProgram): string {
  const path = referenceProgram(name);
  if (path === undefined) throw new Error(`REFERENCE_BIN holds no ${name}`);
  return path;
}

async function startApi(
  folder: string,
): Promise<{ url: string; kubeconfig: string; pki: string; close(): Promise<void> }> {
  const flags = ['--enable-aggregator-routing=true', '--advertise-address', ownAddress];
  return values.reference
    ? await startReference({ flags })
    : await startCluster({ flags: ['--token-auth-file', writeTokens(folder), ...flags], bundled: true });
}

/** Without controllers that would remove pods of a node which sends no heartbeats. */
const controllers = '*,-node-lifecycle-controller,-taint-eviction-controller,-pod-garbage-collector-controller';

async function play(operator: Operator): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), `operators-${operator.name}-`));
  const cluster = await startApi(folder);
  const kubectl = new Kubectl(program('kubectl'), cluster.kubeconfig);
  const manager = startProgram(
    program('kube-controller-manager'),
    [...(await controllerManagerFlags(cluster)), `--controllers=${controllers}`],
    join(folder, 'controller-manager.log'),
  );
  const node = new ProcessNode({
    api: new JsonClient(cluster.url, adminToken),
    url: cluster.url,
    caFile: pkiPaths(cluster.pki).caCert,
    programs: operator.programs,
    programFolder: built,
    folder: join(folder, 'pods'),
  });
  const site: Site = {
    kubectl,
    module: join(built, `${operator.name}-module`),
    folder,
    helm: async (...argv) => {
      const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: cluster.kubeconfig };
      await promisify(execFile)(program('helm'), argv, { env });
    },
  };
  try {
    mkdirSync(join(folder, 'pods'));
    await node.start();
    await operator.install(site);
    console.log(`ok ${operator.name}: installed`);
    for (const [title, step] of Object.entries(operator.steps)) {
      const began = performance.now();
      const saw = await step(site).catch((error: unknown) => {
        throw new Error(`${operator.name}: ${title}`, { cause: error });
      });
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      console.log(
        `ok ${operator.name}: ${title} (${seconds} s)\n    ${saw.trim().slice(0, 400).replaceAll('\n', '\n    ')}`,
      );
    }
    return true;
  } catch (error) {
    console.log('FAILED', error, `\n${node.logs()}`);
    return false;
  } finally {
    await node.close();
    await manager.close();
    kubectl.close();
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const chosen = operators.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
if (chosen.length < positionals.length)
  throw new Error(`operators are ${operators.map(({ name }) => name).join(', ')}`);
if (values.inside) {
  for (const operator of chosen) {
    if (!existsSync(join(built, `${operator.name}-module`)))
      console.log(`!!! LEFT OUT: ${operator.name}, which was not built (build.sh)`);
    else if (!(await play(operator))) process.exitCode = 1;
  }
} else {
  const code = inOwnNetwork(import.meta.filename, [...process.argv.slice(2), '--inside']);
  if (code === undefined) console.log('!!! LEFT OUT: operators: no network of our own may be made here');
  process.exitCode = code ?? 0;
}
