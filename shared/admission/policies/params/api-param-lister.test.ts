import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { OwnApiClient } from '#shared/webhooks/own-api-client.ts';
import { ApiParamLister } from './api-param-lister.ts';

const kind = { group: 'a.b', version: 'v1', kind: 'Limit' };

function limit(name: string, resourceVersion: string, team: string): JsonObject {
  return { apiVersion: 'a.b/v1', kind: 'Limit', metadata: { namespace: 'n', name, resourceVersion, labels: { team } } };
}

/** The pages of each list, and the events of each watch in turn; the last watch stays open until its signal. */
function fakeApi(lists: readonly JsonObject[][], watches: readonly JsonObject[][]): OwnApiClient & { asked: string[] } {
  const asked: string[] = [];
  const pages = lists.flatMap((list) =>
    list.map((item, at) => ({
      metadata: { resourceVersion: '5', ...(at + 1 < list.length ? { continue: `c${at}` } : {}) },
      items: [item],
    })),
  );
  let [page, watch] = [0, 0];
  const api = {
    asked,
    get(path: string) {
      asked.push(path);
      return Promise.resolve({ status: 200, body: Buffer.from(JSON.stringify(pages[page++])) });
    },
    async *lines(path: string, signal: AbortSignal) {
      asked.push(path);
      for (const event of watches[watch++] ?? []) yield JSON.stringify(event);
      if (watch >= watches.length) await new Promise((_, reject) => signal.addEventListener('abort', reject));
    },
  };
  return api as unknown as OwnApiClient & { asked: string[] };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe('ApiParamLister', () => {
  test('reads all pages, and follows the events of watches that go on where the last one ended', async (t) => {
    const api = fakeApi(
      [[limit('one', '3', 'red'), limit('two', '4', 'blue')]],
      [
        [{ type: 'ADDED', object: limit('three', '7', 'red') }],
        [{ type: 'DELETED', object: limit('one', '8', 'red') }],
      ],
    );
    const lister = new ApiParamLister(api, kind, { path: '/apis/a.b/v1/limits', namespaced: true }, assert.fail);
    t.after(() => lister.close());
    await lister.ready();
    await until(() => lister.get('n', 'one') === undefined);
    const names = (team: string): unknown[] =>
      lister.list('n', (labels) => labels?.['team'] === team).map(({ object }) => object.metadata.name);
    assert.deepEqual([names('red'), names('blue'), lister.list('other', () => true)], [['three'], ['two'], []]);
    assert.deepEqual(
      api.asked.map((path) => /(?:continue|resourceVersion)=\w+/.exec(path)?.[0]),
      [undefined, 'continue=c0', 'resourceVersion=5', 'resourceVersion=7'],
    );
  });

  test('keeps what it has read until the objects are listed again after an error', async (t) => {
    const expired = { type: 'ERROR', object: { kind: 'Status', code: 410, metadata: {} } };
    const api = fakeApi([[limit('one', '3', 'red')], [limit('two', '9', 'red')]], [[expired], []]);
    const lister = new ApiParamLister(api, kind, { path: '/apis/a.b/v1/limits', namespaced: true }, assert.fail);
    t.after(() => lister.close());
    await lister.ready();
    assert.ok(lister.isReady());
    await until(() => lister.get('n', 'two') !== undefined);
    assert.equal(lister.get('n', 'one'), undefined);
    lister.close();
    assert.ok(!lister.isReady());
  });
});
