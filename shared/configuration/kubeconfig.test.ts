import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { userFor } from '#shared/webhooks/webhook-users.ts';
import { ConfigurationError } from './decode-configuration.ts';
import { readKubeconfig } from './kubeconfig.ts';

interface RecordedUser {
  readonly kubeconfig: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly error?: string;
}

const { users } = JSON.parse(readFileSync(new URL('../webhooks/testdata/clients.json', import.meta.url), 'utf8')) as {
  readonly users: readonly RecordedUser[];
};

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
  writeFileSync(join(folder, 'token'), ' of the file\n');
  writeFileSync(join(folder, 'empty'), '');
});
after(() => rmSync(folder, { recursive: true, force: true }));

function kubeconfig(text: string): ReturnType<typeof readKubeconfig> {
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, `apiVersion: v1\nkind: Config\n${text.replaceAll('DIR', folder)}`);
  return readKubeconfig(file);
}

function outcome({ kubeconfig: text, target }: RecordedUser): Pick<RecordedUser, 'headers' | 'error'> {
  try {
    const headers = Object.entries(userFor(kubeconfig(text), target).headers);
    if (headers.length === 0) return {};
    return { headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), [value].flat()])) };
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return { error: error.message.replaceAll(folder, 'DIR') };
  }
}

describe('users of a kubeconfig', () => {
  test('are found by host, and sent along, as in upstream', () => {
    for (const recorded of users) {
      const { headers, error } = recorded;
      const want = { ...(headers === undefined ? {} : { headers }), ...(error === undefined ? {} : { error }) };
      assert.deepEqual(outcome(recorded), want, JSON.stringify(recorded));
    }
  });

  test('prove themselves by a certificate only with its key', () => {
    const text = (fields: string): string => `users: [{name: "*", user: {${fields}}}]`;
    const bytes = Buffer.from('x').toString('base64');
    const both = kubeconfig(text(`client-certificate-data: ${bytes}, client-key-data: ${bytes}`));
    assert.deepEqual(both.user('*').certificate, { cert: Buffer.from('x'), key: Buffer.from('x') });
    assert.equal(kubeconfig(text(`client-certificate-data: ${bytes}`)).user('*').certificate, undefined);
  });

  test('are refused at the start if they need a program', () => {
    assert.throws(
      () => kubeconfig('users: [{name: u, user: {exec: {command: c}}}]').refuseExec(),
      /user "u": exec is not available for webhooks/,
    );
  });
});
