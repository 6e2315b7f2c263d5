// helm installs, upgrades, rolls back and removes three charts on a fresh cluster: the one that `helm create` makes,
// one with a definition of its own, one with hooks, a subchart and look-ups:
//   node --import tsx test/e2e/helm/run.ts [--reference]
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram, startReference } from '#test/reference.ts';

const helmProgram = referenceProgram('helm');
const kubectlProgram = referenceProgram('kubectl');
if (helmProgram === undefined || kubectlProgram === undefined) throw new Error('REFERENCE_BIN lacks helm or kubectl');
const folder = mkdtempSync(join(tmpdir(), 'e2e-helm-'));
cpSync(join(import.meta.dirname, 'charts'), folder, { recursive: true });
const cluster = process.argv.includes('--reference') ? await startReference() : await startCluster({ bundled: true });

function run(program: string, command: string): string {
  const env = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: cluster.kubeconfig };
  return execFileSync(program, command.split(' '), { cwd: folder, env, encoding: 'utf8' }).trim();
}
const helm = (command: string): string => run(helmProgram, command);
const kubectl = (command: string): string => run(kubectlProgram, command);

/** One chart: two revisions that differ in a value, then back to the first; `read` prints what the value became. */
interface Chart {
  readonly name: string;
  readonly first: string;
  readonly second: string;
  readonly read: string;
  readonly values: readonly [string, string];
  /** Kinds that the chart leaves none of. */
  readonly kinds: string;
}

const charts: readonly Chart[] = [
  {
    name: 'web',
    first: '--set replicaCount=2',
    second: '--set replicaCount=3',
    read: 'get deployment one-web -o jsonpath={.spec.replicas}',
    values: ['2', '3'],
    kinds: 'deployments,services,serviceaccounts',
  },
  {
    name: 'operator',
    first: '--set size=1',
    second: '--set size=2',
    read: 'get widget one-widget -o jsonpath={.spec.size}/{.spec.color}',
    values: ['1/blue', '2/blue'],
    kinds: 'widgets,serviceaccounts',
  },
  {
    name: 'release',
    first: '--set config.level=low',
    second: '--set config.level=high',
    read: 'get configmap one-config -o jsonpath={.data.level}',
    values: ['low', 'high'],
    kinds: 'poddisruptionbudgets,ingresses',
  },
];

try {
  helm('create web');
  for (const chart of charts) {
    const within = `-n ${chart.name}`;
    helm(`install one ./${chart.name} ${within} --create-namespace ${chart.first}`);
    assert.equal(kubectl(`${within} ${chart.read}`), chart.values[0]);
    helm(`upgrade one ./${chart.name} ${within} ${chart.second}`);
    assert.equal(kubectl(`${within} ${chart.read}`), chart.values[1]);
    helm(`upgrade one ./${chart.name} ${within} ${chart.second} --dry-run=server`);
    helm(`rollback one 1 ${within}`);
    assert.equal(kubectl(`${within} ${chart.read}`), chart.values[0]);
    assert.deepEqual(
      (JSON.parse(helm(`history one ${within} -o json`)) as { status: string }[]).map(({ status }) => status),
      ['superseded', 'superseded', 'deployed'],
    );
    assert.match(helm(`get manifest one ${within}`), /kind:/);
    helm(`uninstall one ${within}`);
    assert.equal(
      kubectl(
        `${within} get ${chart.kinds} -o jsonpath={range.items[?(@.metadata.name!="default")]}{.metadata.name}{end}`,
      ),
      '',
    );
    assert.equal(helm(`list ${within} -q`), '');
    console.log(`ok helm: ${chart.name}`);
  }
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
