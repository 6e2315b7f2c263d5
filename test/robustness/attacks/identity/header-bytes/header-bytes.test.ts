import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { startAnyCluster, type AnyCluster } from '#test/any-cluster.ts';
import { answersOf } from './answers.ts';
import { recordedQuestions } from './questions.ts';
import { headerFlags, writeFormTokens } from './set-up.ts';

const recorded = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('gen/answers.json', import.meta.url), 'utf8')) as Record<string, JsonObject>,
  ),
);

describe('bytes beyond ASCII in headers, queries and paths', () => {
  const folder = mkdtempSync(join(tmpdir(), 'header-bytes-'));
  let cluster: AnyCluster;
  before(async () => {
    cluster = await startAnyCluster({ flags: headerFlags(writeFormTokens(folder), ['X-Remote-']) });
  });
  after(async () => {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const) {
    test(`get the answers of kube-apiserver over ${protocol}`, async () => {
      const answers = await answersOf(cluster, protocol, recordedQuestions);
      const differences = [...answers].filter(([what, here]) => {
        try {
          assert.deepEqual(here, recorded.get(what));
          return false;
        } catch {
          return true;
        }
      });
      assert.deepEqual(
        Object.fromEntries(differences),
        Object.fromEntries(differences.map(([what]) => [what, recorded.get(what)])),
      );
      assert.ok(answers.size > 200 && answers.size === recorded.size);
    });
  }
});
