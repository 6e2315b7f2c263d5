import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { numberAt, stringAt } from '#shared/apimachinery/object.ts';
import { InProcess } from './in-process.ts';

// What the reference answers is taken from the recorded replays of kube-apiserver v1.36.3.

const server = new InProcess([{ group: '', resource: 'configmaps', strategy: { generation: 'none' } }]);
after(() => server.close());

const maps = '/api/v1/namespaces/crud/configmaps';
const map = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data: { k: 'v' },
});

describe('objects', () => {
  test('are answered to a create byte for byte as to a later read', async () => {
    const created = await server.send('POST', maps, map('a'));
    assert.equal(created.status, 201);
    assert.match(
      created.text,
      /^\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{"name":"a","namespace":"crud","uid":"[0-9a-f-]{36}","resourceVersion":"\d+","creationTimestamp":"[^"]+","managedFields":\[\{"manager":"unknown","operation":"Update","apiVersion":"v1","time":"[^"]+","fieldsType":"FieldsV1","fieldsV1":\{"f:data":\{"\.":\{\},"f:k":\{\}\}\}\}\]\},"data":\{"k":"v"\}\}\n$/,
    );
    const read = await server.send('GET', `${maps}/a`);
    assert.equal(read.status, 200);
    assert.equal(read.text, created.text);
  });

  test('answer 409 to a create with a taken name', async () => {
    const { status, body } = await server.send('POST', maps, map('a'));
    assert.equal(status, 409);
    assert.equal(body['message'], 'configmaps "a" already exists');
    assert.equal(body['reason'], 'AlreadyExists');
  });

  test('answer 500 to a create with a resourceVersion, as the reference does', async () => {
    const { status, body } = await server.send('POST', maps, map('b', { resourceVersion: '5' }));
    assert.equal(status, 500);
    assert.equal(body['message'], 'resourceVersion should not be set on objects to be created');
  });

  test('get a name with five random characters from generateName', async () => {
    const { status, body } = await server.send('POST', maps, map('', { generateName: 'gen-' }));
    assert.equal(status, 201);
    assert.match(stringAt(body, 'metadata', 'name'), /^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  test('answer 409 to PUT with an old resourceVersion, and are overwritten without one', async () => {
    const stale = await server.send('PUT', `${maps}/a`, map('a', { resourceVersion: '1' }));
    assert.equal(stale.status, 409);
    assert.equal(
      stale.body['message'],
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    );
    const written = await server.send('PUT', `${maps}/a`, { ...map('a'), data: { k: 'w' } });
    assert.equal(written.status, 200);
    assert.deepEqual(written.body['data'], { k: 'w' });
  });

  test('keep their resourceVersion when a write changes nothing', async () => {
    const before = await server.send('GET', `${maps}/a`);
    const { text } = await server.send('PATCH', `${maps}/a`, { data: { k: 'w' } });
    assert.equal(text, before.text);
  });

  test('answer 404 to PUT when missing', async () => {
    const { status, body } = await server.send('PUT', `${maps}/none`, map('none'));
    assert.equal(status, 404);
    assert.deepEqual(body['details'], { name: 'none', kind: 'configmaps' });
  });

  test('answer unknown fields with warnings, an error or nothing, by fieldValidation', async () => {
    const body = { ...map('fv'), extra: 1 };
    const warned = await server.send('POST', `${maps}?dryRun=All`, body);
    assert.deepEqual(warned.warnings, ['unknown field "extra"']);
    assert.equal(stringAt(warned.body, 'metadata', 'resourceVersion'), '');
    const strict = await server.send('POST', `${maps}?fieldValidation=Strict`, body);
    assert.equal(strict.status, 400);
    assert.equal(
      strict.body['message'],
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "extra"',
    );
    const ignored = await server.send('POST', `${maps}?dryRun=All&fieldValidation=Ignore`, body);
    assert.deepEqual(ignored.warnings, []);
    assert.equal((await server.send('GET', `${maps}/fv`)).status, 404);
  });

  test('remain after DELETE until their finalizers are gone', async () => {
    await server.send('POST', maps, map('fin', { finalizers: ['example.com/f'] }));
    const deleted = await server.send('DELETE', `${maps}/fin`);
    assert.equal(deleted.status, 200);
    assert.equal(numberAt(deleted.body, 'metadata', 'deletionGracePeriodSeconds'), 0);
    const freed = await server.send('PATCH', `${maps}/fin`, { metadata: { finalizers: null } });
    assert.equal(freed.status, 200);
    assert.equal((await server.send('GET', `${maps}/fin`)).status, 404);
  });

  test('answer 409 with their kind to DELETE with a wrong uid', async () => {
    const { status, body } = await server.send('DELETE', `${maps}/a`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid: 'x' },
    });
    assert.equal(status, 409);
    assert.match(
      stringAt(body, 'message'),
      /^Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition \(x\) does not match/,
    );
  });

  test('answer 422 to a JSON patch whose test fails', async () => {
    const patch = [{ op: 'test', path: '/data/k', value: 'no' }];
    const { status, body } = await server.send('PATCH', `${maps}/a`, patch, {
      'content-type': 'application/json-patch+json',
    });
    assert.equal(status, 422);
    assert.equal(body['message'], 'the server rejected our request due to an error in our request');
  });
});

describe('resource router', () => {
  test("answers unknown resources, methods and media types with the reference's errors", async () => {
    assert.equal((await server.send('GET', '/api/v1/namespaces/crud/nothings')).status, 404);
    assert.equal((await server.send('PUT', maps, map('a'))).status, 405);
    assert.equal((await server.send('POST', '/api/v1/configmaps', map('a'))).status, 405);
    assert.equal(
      (await server.send('PATCH', `${maps}/a`, '{}', { 'content-type': 'application/json' })).body['message'],
      '415: Unsupported Media Type',
    );
    assert.equal((await server.send('GET', `${maps}/a`, undefined, { accept: 'text/html' })).status, 406);
    const plain = await server.send('GET', '/apis/none.example.com/v1/things');
    assert.equal(plain.text, '404 page not found\n');
  });
});
