import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { auditFileErrors } from './audit-file-errors.ts';
import { temporaryFolder } from './sinks/testing/sink-rig.ts';

let folder: ReturnType<typeof temporaryFolder>;
before(() => (folder = temporaryFolder()));
after(() => folder.remove());

const none = { auditPolicyFile: '', auditLogPath: '', auditWebhookConfigFile: '' };

describe('auditFileErrors', () => {
  test('names flag, value and fault of each file', () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const log = join(file, 'audit.log');
    const errors = auditFileErrors({ auditPolicyFile: file, auditLogPath: log, auditWebhookConfigFile: file });
    assert.deepEqual(errors, [
      `--audit-policy-file "${file}": loading audit policy file: unknown group version field audit.k8s.io/__internal, Kind=Policy in policy: from file ${file}`,
      `--audit-log-path "${log}": ensureLogFile: mkdir ${file}: not a directory`,
      `--audit-webhook-config-file "${file}": initializing audit webhook: invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable`,
    ]);
  });

  test('refuses a folder in the place of the file', () => {
    const path = join(folder.path, 'folder');
    mkdirSync(path);
    assert.deepEqual(auditFileErrors({ ...none, auditLogPath: path }), [
      `--audit-log-path "${path}": ensureLogFile: open ${path}: is a directory`,
    ]);
  });

  test('makes the file, and does not read the webhook without a policy', () => {
    const log = join(folder.path, 'new', 'audit.log');
    assert.deepEqual(auditFileErrors({ ...none, auditLogPath: log, auditWebhookConfigFile: '/no/file' }), []);
    assert.deepEqual(auditFileErrors({ ...none, auditLogPath: log }), []);
    assert.deepEqual(auditFileErrors({ ...none, auditLogPath: '-' }), []);
  });
});
