// Test files that run.ts adds to a copy of a sample.
export type Sample = 'node-test' | 'vitest' | 'jest';

interface Dialect {
  readonly file: (name: string) => string;
  /** Imports `test`, `beforeAll`, `afterAll` and `afterEach`. */
  readonly head: string;
  readonly controller: string;
}

export const dialects: Readonly<Record<Sample, Dialect>> = {
  'node-test': {
    file: (name) => `test/${name}.test.ts`,
    head: `import { after as afterAll, afterEach, before as beforeAll, test } from 'node:test';`,
    controller: '../src/quota-controller.ts',
  },
  vitest: {
    file: (name) => `test/${name}.test.ts`,
    head: `import { afterAll, afterEach, beforeAll, test } from 'vitest';`,
    controller: '../src/quota-controller.ts',
  },
  jest: { file: (name) => `test/${name}.test.mjs`, head: '', controller: '../src/quota-controller.mjs' },
};

/** What the tests of a file do, besides using their cluster. */
export type Behaviour = 'passes' | 'fails' | 'throws in a hook' | 'never ends';

const last: Readonly<Record<Behaviour, string>> = {
  passes: '',
  fails: `test('fails', () => assert.fail('as it should'));`,
  'throws in a hook': `beforeAll(() => { throw new Error('as it should'); });`,
  'never ends': `test('never ends', () => new Promise((resolve) => setTimeout(resolve, 600_000)));`,
};

/**
 * A file of ten tests, each of which wants the objects of the beginning, makes some, and waits for the controller.
 * Appends where its cluster is to the file `notes`.
 */
export function testFile(sample: Sample, notes: string, behaviour: Behaviour = 'passes'): string {
  const { head, controller } = dialects[sample];
  return `import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startCluster } from 'quarterdeck';
${head}
import { startQuotaController } from '${controller}';

const config = new KubeConfig();
const note = (what) => appendFileSync(${JSON.stringify(notes)}, \`\${what}\\n\`);
let cluster, core, controller, clean;
beforeAll(async () => {
  cluster = await startCluster();
  note(cluster.kubeconfig);
  config.loadFromFile(cluster.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
  controller = await startQuotaController(config);
  clean = await cluster.mark();
});
afterEach(async () => {
  await cluster.rollback(clean);
});
afterAll(async () => {
  await controller?.stop();
  await cluster?.close();
});
const teams = async () =>
  (await core.listNamespace()).items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('team-'));
for (let at = 0; at < 10; at++)
  test(\`team \${at} gets a quota\`, async () => {
    const namespace = \`team-\${at}\`;
    assert.deepEqual(await teams(), []);
    await core.createNamespace({ body: { metadata: { name: namespace, labels: { team: 'a' } } } });
    while ((await core.listNamespacedResourceQuota({ namespace })).items.length === 0);
    assert.deepEqual(await teams(), [namespace]);
  });
${last[behaviour]}
`.replaceAll(
    /^let cluster.*$/gm,
    sample === 'jest' ? '$&' : 'let cluster: any, core: any, controller: any, clean: any;',
  );
}
