import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PageAnswer } from './debug-page.ts';
import { profilePages } from './profile-pages.ts';

async function get(name: string, query = '', tellsDelays = false): Promise<PageAnswer | undefined> {
  return await profilePages({ tellsDelays })({
    method: 'GET',
    path: `/debug/pprof/${name}`,
    query: new URLSearchParams(query),
    body: async () => '',
    signal: new AbortController().signal,
  });
}

describe('profilePages', () => {
  test('answers with a profile of this process in the form of V8', async () => {
    const { nodes } = JSON.parse(String((await get('profile', 'seconds=0.01&form=v8'))?.body)) as { nodes: unknown[] };
    assert.ok(nodes.length > 0);
  });

  test('refuses times that are none, and profiles that there are not', async () => {
    for (const query of ['seconds=x', 'seconds=0', 'seconds=-1', 'seconds=301', 'seconds=NaN'])
      assert.equal((await get('profile', query))?.status, 400, query);
    assert.equal((await get('goroutine'))?.status, 404);
  });

  test('lists what holds the event loop only where it is asked for', async () => {
    assert.doesNotMatch(String((await get(''))?.body), /block/);
    assert.match(String((await get('', '', true))?.body), /href="block/);
    assert.equal((await get('block'))?.status, 404);
  });

  test('ends a profile for which nobody waits', async () => {
    const gone = new AbortController();
    const pages = profilePages({ tellsDelays: false });
    const request = { method: 'GET', query: new URLSearchParams('seconds=300'), body: async () => '' };
    const answer = pages({ ...request, path: '/debug/pprof/profile', signal: gone.signal });
    gone.abort();
    assert.equal((await answer)?.status, 200);
  });
});
