// The README's section "Keep an audit log", typed as it stands there, with a collector on this machine.
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/audit-log/run.ts [--reference]
// `--reference`: kube-apiserver instead of this server.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEventServer } from '#shared/audit/sinks/testing/event-server.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { Person } from '#test/e2e/oidc-login/person.ts';
import { blocksOf, serverCommandOf } from '#test/e2e/oidc-login/readme-section.ts';

const withReference = process.argv.includes('--reference');
const folder = mkdtempSync(join(tmpdir(), 'audit-log-'));
const collector = await startEventServer();
const admin = new Person('admin', folder, {});
const blocks = blocksOf('Keep an audit log');
const [withFile = '', question = '', withWebhook = ''] = blocks;

let server: Side | undefined;
after(async () => {
  await server?.close();
  await collector.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Types what comes before `npm start`, and starts the server by its flags, whose files are in the folder. */
async function startAsWritten(block: string): Promise<void> {
  const { before, flags } = serverCommandOf(block) ?? assert.fail(block);
  await typed(before.replace('https://collector.example.org', collector.url));
  const found = flags.map((flag) => flag.replace(/^audit/, `${folder}/audit`));
  server = await (withReference ? startTheirs(found) : startOurs({ flags: found }));
  rmSync(join(folder, '.quarterdeck'), { recursive: true, force: true });
  mkdirSync(join(folder, '.quarterdeck'));
  symlinkSync(server.kubeconfig, join(folder, '.quarterdeck', 'kubeconfig'));
}

async function typed(commands: string): Promise<string> {
  const { code, text } = await admin.types(commands);
  assert.equal(code, 0, text);
  return text;
}

describe('Keep an audit log', () => {
  test('writes who touched a Secret, and not what is in it', async () => {
    assert.equal(blocks.length, 3);
    await startAsWritten(withFile);
    const text = await typed(question);
    assert.match(text, /"verb":"create","user":\{"username":"(?:admin|kubernetes-admin|[\w:-]+)"/);
    const log = readFileSync(join(folder, 'audit', 'audit.log'), 'utf8');
    assert.doesNotMatch(log, /hunter2|aHVudGVyMg|managedFields|"requestURI":"\/readyz|"resource":"leases"/);
    assert.equal(statSync(join(folder, 'audit', 'audit.log')).mode & 0o777, 0o600);
  });

  test('keeps the objects of other changes', async () => {
    await typed('export KUBECONFIG=.quarterdeck/kubeconfig\nkubectl create namespace payroll\nsleep 1');
    const log = readFileSync(join(folder, 'audit', 'audit.log'), 'utf8');
    const line = log.split('\n').find((text) => text.includes('"verb":"create"') && text.includes('"name":"payroll"'));
    const { responseObject } = JSON.parse(line ?? '{}') as { responseObject?: { status?: unknown } };
    assert.deepEqual(responseObject?.status, { phase: 'Active' });
    await server?.close();
    server = undefined;
  });

  test('sends events to a collector', async () => {
    await startAsWritten(withWebhook);
    await typed('export KUBECONFIG=.quarterdeck/kubeconfig\nkubectl create namespace sales');
    const endMs = performance.now() + 15_000;
    while (!collector.calls.some(({ body }) => body.includes('"name":"sales"'))) {
      assert.ok(performance.now() < endMs);
      await sleep(100);
    }
  });
});
