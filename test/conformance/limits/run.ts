// Compares the limits that unit tests name with those of a kube-apiserver, which it starts:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/limits/run.ts
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { changed, withField, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { JsonClient } from '#test/json-client.ts';
import { startReference } from '#test/reference.ts';
import { Reference } from './reference.ts';

const root = join(import.meta.dirname, '../../..');
const server = await startReference();
const client = new JsonClient(server.url, server.token);
const reference = new Reference(client);
let differences = 0;

function compare(what: string, expected: unknown, found: unknown): void {
  if (isDeepStrictEqual(expected, found)) return;
  differences++;
  console.log(`${what}\n  expected ${JSON.stringify(expected)}\n  found    ${JSON.stringify(found)}`);
}

async function compareTable({ valid, limits, updates = [], generations = [] }: LimitTable): Promise<void> {
  const kind = String(valid.body['kind']);
  for (const [field, accepted, refused, ...errors] of limits) {
    compare(`${kind} ${field}, accepted`, [], (await reference.create(withField(valid, field, accepted))).errors);
    compare(`${kind} ${field}, refused`, errors, (await reference.create(withField(valid, field, refused))).errors);
  }
  for (const [field, accepted, refused, ...errors] of updates) {
    const found = async (value: typeof accepted): Promise<readonly string[]> =>
      (await reference.update(valid, (object) => changed(object, field, value))).errors;
    compare(`update of ${kind} ${field}, accepted`, [], await found(accepted));
    compare(`update of ${kind} ${field}, refused`, errors, await found(refused));
  }
  for (const [field, value, generation] of generations) {
    const { object } = await reference.update(valid, (old) => changed(old, field, value));
    compare(`generation after an update of ${kind} ${field}`, generation, objectAt(object, 'metadata')?.['generation']);
  }
}

try {
  // Pods need it, and no controller makes it here.
  await client.call('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  for (const file of globSync('servers/core/apis/**/testdata/*limits.ts', { cwd: root })) {
    const { limits: tables } = (await import(join(root, file))) as { readonly limits: readonly LimitTable[] };
    for (const table of tables) await compareTable(table);
  }
} finally {
  await server.close();
}
console.log(`${differences} differences`);
process.exitCode = differences === 0 ? 0 : 1;
