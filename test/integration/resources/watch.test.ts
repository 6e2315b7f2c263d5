import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { objectAt } from '#shared/apimachinery/object.ts';
import { InProcess } from './in-process.ts';

const server = new InProcess([{ group: '', resource: 'configmaps', strategy: { generation: 'none' } }]);
after(() => server.close());

const maps = '/api/v1/namespaces/watches/configmaps';

describe('watches', () => {
  test('start with the present state and continue when no resourceVersion is given', async () => {
    await server.send('POST', maps, { metadata: { name: 'a' } });
    const watch = await server.watch(`${maps}?watch=1`);
    assert.equal(watch.status, 200);
    await watch.events(1);
    await server.send('PATCH', `${maps}/a`, { data: { n: '1' } });
    await server.send('DELETE', `${maps}/a`);
    const events = await watch.events(3);
    assert.deepEqual(
      events.map((event) => event.type),
      ['ADDED', 'MODIFIED', 'DELETED'],
    );
    watch.close();
  });

  test('report ADDED and DELETED when an object enters and leaves the selection', async () => {
    await server.send('POST', maps, { metadata: { name: 'b' } });
    const watch = await server.watch(`${maps}?watch=1&labelSelector=app`);
    await server.send('PATCH', `${maps}/b`, { metadata: { labels: { app: 'x' } } });
    await server.send('PATCH', `${maps}/b`, { metadata: { labels: { app: null } } });
    assert.deepEqual(
      (await watch.events(2)).map((event) => event.type),
      ['ADDED', 'DELETED'],
    );
    watch.close();
  });

  test('mark the end of initial events with a bookmark', async () => {
    const watch = await server.watch(
      `${maps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=none`,
    );
    const [event] = await watch.events(1);
    assert.equal(event?.type, 'BOOKMARK');
    assert.deepEqual(objectAt(event?.object, 'metadata', 'annotations'), { 'k8s.io/initial-events-end': 'true' });
    watch.close();
  });

  test('answer 422 to sendInitialEvents without a match, and 500 to a malformed resourceVersion', async () => {
    const refused = await server.send('GET', `${maps}?watch=1&sendInitialEvents=true`);
    assert.equal(refused.status, 422);
    const broken = await server.send('GET', `${maps}?watch=1&resourceVersion=abc`);
    assert.equal(broken.status, 500);
    assert.equal(
      broken.body['message'],
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    );
  });

  test('send the same bytes to all watchers of a selection', async () => {
    const [first, second] = await Promise.all([
      server.watch(`${maps}?watch=1&labelSelector=same`),
      server.watch(`${maps}?watch=1&labelSelector=same`),
    ]);
    await server.send('POST', maps, { metadata: { name: 'same', labels: { same: '' } } });
    assert.deepEqual(await first.events(1), await second.events(1));
    first.close();
    second.close();
  });
});
