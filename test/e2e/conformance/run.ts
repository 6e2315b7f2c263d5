// Runs those parts of upstream's e2e suite that need no kubelet, with its controller manager, scheduler and kwok:
//   node --import tsx test/e2e/conformance/run.ts [--only REGEX | --shard NAME | --quick] [--keep FOLDER] [-- FLAGS]     on this server, with these flags
//   node --import tsx test/e2e/conformance/run.ts --own-controllers [--only REGEX] …       with this product's controllers instead of upstream's
//   node --import tsx test/e2e/conformance/run.ts --reference [--only REGEX] [-- FLAGS]   on the reference
//   node --import tsx test/e2e/conformance/run.ts --record                           the same: keeps which specs pass there
// It fails when a spec does not pass that passes on the reference. Needs e2e.test below REFERENCE_BIN (build.sh makes
// it).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { controllerNames } from '#shared/server/options/controller-flags.ts';
import { startCluster } from '#test/cluster.ts';
import { missingPrograms, startControlPlane } from '#test/e2e/controllers/control-plane.ts';
import { KubectlSteps } from '#test/e2e/controllers/kubectl-steps.ts';
import { referenceProgram, startReference } from '#test/reference.ts';
import type { ReferenceOptions } from '#test/reference.ts';
import { later, runShard, slow, type Shard, type SpecResult } from './suite.ts';

const recorded = join(import.meta.dirname, 'gen', 'passing.json');
const { values, positionals: flags } = parseArgs({
  allowPositionals: true,
  options: {
    record: { type: 'boolean', default: false },
    reference: { type: 'boolean', default: false },
    'own-controllers': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    shard: { type: 'string' },
    keep: { type: 'string' },
  },
});
const missing = [...missingPrograms(), ...(referenceProgram('e2e.test') === undefined ? ['e2e.test'] : [])];
if (missing.length > 0) throw new Error(`REFERENCE_BIN lacks ${missing.join(', ')}`);

const expected = new Set(values.record ? [] : (JSON.parse(readFileSync(recorded, 'utf8')) as string[]));
const failedOf = (all: readonly SpecResult[]): SpecResult[] =>
  all.filter(({ name, state }) => state !== 'passed' && expected.has(name));
const isReference = values.record || values.reference;
const options = { only: values.only, leftOut: isReference ? [] : [later, ...(values.quick ? [slow] : [])] };
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'e2e-conformance-'));
const own = values['own-controllers'] ? controllerNames : [];
const cluster = isReference
  ? await startReference(onEtcd(flags))
  : await startCluster({
      bundled: true,
      flags: [
        '--service-cluster-ip-range',
        '10.0.0.0/16',
        '--allow-privileged',
        ...own.map((name) => `--controllers=${name}`),
        ...flags,
      ],
    });
const results: SpecResult[] = [];
try {
  const plane = await startControlPlane(cluster, folder, [
    `--controllers=${['*', ...own.map((name) => `-${name}`)].join(',')}`,
  ]);
  try {
    await new KubectlSteps(cluster.kubeconfig).do('apply -f nodes.yaml');
    const run = (shard: Shard): Promise<readonly SpecResult[]> => runShard(shard, cluster.kubeconfig, folder, options);
    const together: readonly Shard[] =
      values.only !== ''
        ? []
        : values.shard !== undefined
          ? [values.shard as Shard]
          : values.quick
            ? ['api-machinery', 'others']
            : ['api-machinery', 'apps', 'others'];
    results.push(...(await Promise.all(together.map(run))).flat());
    if (!values.quick && values.shard === undefined) results.push(...(await run('serial')));
    // Specs have limits of time: on a busy machine one that fails is run once more, by itself.
    const again = failedOf(results).map(({ name }) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
    if (again.length > 0)
      replace(results, await runShard('serial', cluster.kubeconfig, folder, { only: again.join('|'), leftOut: [] }));
  } finally {
    await plane.close();
  }
} finally {
  await cluster.close();
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}

/** Which etcd the reference uses stands among its flags, if it is to use a certain one. */
function onEtcd(all: readonly string[]): ReferenceOptions {
  const at = all.indexOf('--etcd-servers');
  return at < 0 ? { flags: all } : { etcdUrl: all[at + 1] ?? '', flags: all.toSpliced(at, 2) };
}

function replace(all: SpecResult[], newer: readonly SpecResult[]): void {
  const byName = new Map(newer.map((result) => [result.name, result]));
  for (const [index, { name }] of all.entries()) all[index] = byName.get(name) ?? (all[index] as SpecResult);
}

const passed = results
  .filter(({ state }) => state === 'passed')
  .map(({ name }) => name)
  .sort();
if (values.record) {
  writeFileSync(recorded, `${JSON.stringify(passed, null, 1)}\n`);
  console.log(`${passed.length} of ${results.length} specs pass on the reference`);
  for (const { name, state, message } of results)
    if (state !== 'passed') console.log(`  ${state} ${name}: ${message.split('\n')[0]}`);
} else {
  const failed = failedOf(results);
  for (const { name, state, message } of failed) console.log(`${state} ${name}\n    ${message.slice(0, 1500)}`);
  console.log(
    `${passed.length} of ${results.length} specs pass; ${failed.length} do not that pass on the reference; left out until they are there: ${isReference ? 'none' : later}`,
  );
  if (failed.length > 0 || passed.length === 0) process.exitCode = 1;
}
