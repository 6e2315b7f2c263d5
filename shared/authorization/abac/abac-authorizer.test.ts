import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  attributesOf,
  recordedTable,
  recordedUser,
  type RecordedAttributes,
  type RecordedUser,
} from '#shared/authorization/testing/recorded-attributes.ts';
import { AbacAuthorizer } from './abac-authorizer.ts';
import type { AbacPolicy } from './abac-policy.ts';
import { readPolicyFile, type PolicyFile } from './policy-file.ts';

interface RecordedRule {
  readonly Verbs: readonly string[];
  readonly APIGroups: readonly string[];
  readonly Resources: readonly string[];
  readonly NonResourceURLs: readonly string[];
}

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'abac-'));
});
after(() => rmSync(folder, { recursive: true }));

function read(contents: string): PolicyFile {
  const file = join(folder, 'policies.jsonl');
  writeFileSync(file, contents);
  return readPolicyFile(file);
}

const files = recordedTable<{ contents: string; policies: readonly AbacPolicy[] }>('abac', 'abac-files');

function authorizerOf(file: number): AbacAuthorizer {
  return new AbacAuthorizer(read(files[file]?.contents ?? '').policies);
}

describe('readPolicyFile', () => {
  test("reads upstream's files of both versions, with comments and blank lines", () => {
    for (const { contents, policies } of files) assert.deepEqual(read(contents).policies, policies, contents);
  });

  test('tells the first line that is no policy', () => {
    assert.throws(() => read('# comment\n{"user":"a"}\r\n{"user":1}\n'), {
      message: `error reading policy file ${join(folder, 'policies.jsonl')}, line 3: {"user":1}: json: cannot unmarshal number into Go struct field Policy.user of type string`,
    });
  });

  test('refuses lines of 64 KiB', () => {
    assert.throws(() => read(`# ${'x'.repeat(65_536)}\n`), /bufio\.Scanner: token too long$/);
  });

  test('notes lines without a version', () => {
    const versioned = '{"apiVersion":"abac.authorization.kubernetes.io/v0","kind":"Policy","user":"a"}';
    assert.equal(read(versioned).hasUnversioned, false);
    assert.equal(read('{"user":"a"}').hasUnversioned, true);
  });
});

describe('AbacAuthorizer', () => {
  test("decides as in upstream's tests", () => {
    for (const line of recordedTable<{
      file: number;
      attributes: RecordedAttributes;
      decision: string;
      reason: string;
    }>('abac', 'abac-decisions')) {
      const { decision, reason } = authorizerOf(line.file).authorize(attributesOf(line.attributes));
      assert.deepEqual(
        { decision: decision.toLowerCase(), reason },
        { decision: line.decision.toLowerCase(), reason: line.reason },
        JSON.stringify(line),
      );
    }
  });

  test("matches single policies as in upstream's tests", () => {
    for (const line of recordedTable<{ policy: AbacPolicy; attributes: RecordedAttributes; matches: boolean }>(
      'abac',
      'abac-matches',
    )) {
      const { decision } = new AbacAuthorizer([line.policy]).authorize(attributesOf(line.attributes));
      assert.equal(decision === 'allow', line.matches, JSON.stringify(line));
    }
  });

  test("lists the rules of a user as in upstream's tests", () => {
    for (const line of recordedTable<{
      file: number;
      user: RecordedUser;
      namespace: string;
      resourceRules: readonly RecordedRule[] | null;
      nonResourceRules: readonly RecordedRule[] | null;
      incomplete: boolean;
    }>('abac', 'abac-rules')) {
      const rules = authorizerOf(line.file).rulesFor(recordedUser(line.user), line.namespace);
      assert.deepEqual(rules, {
        resourceRules: (line.resourceRules ?? []).map(({ Verbs, APIGroups, Resources }) => ({
          verbs: Verbs,
          apiGroups: APIGroups,
          resources: Resources,
          resourceNames: [],
        })),
        nonResourceRules: (line.nonResourceRules ?? []).map(({ Verbs, NonResourceURLs }) => ({
          verbs: Verbs,
          nonResourceURLs: NonResourceURLs,
        })),
        incomplete: line.incomplete,
        evaluationError: '',
      });
    }
  });
});
