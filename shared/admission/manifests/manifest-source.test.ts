import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { ConditionCompiler } from '#shared/cel/uses/admission.ts';
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
    assert.equal(await next(policies('d.static.k8s.io')), 'changed');
    assert.deepEqual(source.rules, ['d.static.k8s.io']);
  });
});
