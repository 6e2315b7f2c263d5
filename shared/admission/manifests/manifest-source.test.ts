import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import { ManifestSource } from './manifest-source.ts';

const compiler = new ConditionCompiler(baseEnvironments(35));

function policies(...names: readonly string[]): string {
  return names
    .map(
      (name) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [pods]}]}
  validations: [{expression: 'true'}]
`,
    )
    .join('---\n');
}

const server = `sha256:${hash('sha256', 'manifest-source-test')}`;

function samplesOf(name: string): readonly (readonly [labels: readonly string[], value: number])[] {
  const family = processRegistry
    .families()
    .find((one) => one.name === `apiserver_manifest_admission_config_controller_${name}`);
  return [...(family?.samples() ?? [])].map(({ labels, value }) => [labels, Number(value)] as const);
}

const counted = (): Record<string, number> =>
  Object.fromEntries(
    samplesOf('automatic_reloads_total')
      .filter(([labels]) => labels[2] === server)
      .map(([labels, value]) => [labels[0], value]),
  );

const applied = (): string | undefined =>
  samplesOf('last_config_info').find(([labels]) => labels[1] === server)?.[0][2];

describe('ManifestSource', () => {
  test('follows the files of its folder, and keeps what it has while they are wrong', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'manifest-source-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'a.yaml');
    writeFileSync(file, policies('a.static.k8s.io'));
    let told = Promise.withResolvers<string>();
    const next = async (text: string): Promise<string> => {
      told = Promise.withResolvers();
      writeFileSync(file, text);
      return await told.promise;
    };
    const source = new ManifestSource<readonly string[]>(
      {
        plugin: 'ValidatingAdmissionPolicy',
        folder,
        compilers: () => Promise.resolve({ conditions: () => compiler }),
        compile: (manifests) =>
          Promise.resolve(
            (manifests.get('ValidatingAdmissionPolicy') ?? []).map(({ metadata: { name = '' } }) => name),
          ),
        serverId: 'manifest-source-test',
        report: () => undefined,
        reportError: (_message, error) => told.resolve((error as Error).message),
      },
      [],
    );
    t.after(() => source.close());
    source.onChange(() => told.resolve('changed'));
    await source.load();
    assert.deepEqual(source.rules, ['a.static.k8s.io']);
    assert.equal(await next(policies('b.static.k8s.io', 'a.static.k8s.io')), 'changed');
    assert.deepEqual(source.rules, ['a.static.k8s.io', 'b.static.k8s.io']);
    assert.match(await next(policies('c')), /"c" in file .* must have a name ending with ".static.k8s.io"/);
    assert.deepEqual(source.rules, ['a.static.k8s.io', 'b.static.k8s.io']);
    assert.deepEqual(counted(), { success: 2, failure: 1 });
    const before = applied();
    assert.equal(await next(policies('d.static.k8s.io')), 'changed');
    assert.deepEqual(source.rules, ['d.static.k8s.io']);
    assert.deepEqual(counted(), { success: 3, failure: 1 });
    // As the reference hashes them (apiserver/pkg/admission/plugin/manifest/loader.go).
    const bytes = Buffer.concat([readFileSync(file), Buffer.alloc(1)]);
    assert.deepEqual([before === applied(), applied()], [false, `sha256:${hash('sha256', bytes)}`]);
    source.close();
    assert.equal(applied(), undefined, 'shown until it is closed');
  });
});
