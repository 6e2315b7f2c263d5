import assert from 'node:assert/strict';
import { after, test } from 'node:test';
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

test('a created object is answered as it is read afterwards, byte for byte', async () => {
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

test('a taken name is a conflict', async () => {
  const { status, body } = await server.send('POST', maps, map('a'));
  assert.equal(status, 409);
  assert.equal(body['message'], 'configmaps "a" already exists');
  assert.equal(body['reason'], 'AlreadyExists');
});

test('a resourceVersion in a new object is a server error, as in the reference', async () => {
  const { status, body } = await server.send('POST', maps, map('b', { resourceVersion: '5' }));
  assert.equal(status, 500);
  assert.equal(body['message'], 'resourceVersion should not be set on objects to be created');
});

test('generateName makes a name of five random characters', async () => {
  const { status, body } = await server.send('POST', maps, map('', { generateName: 'gen-' }));
  assert.equal(status, 201);
  assert.match(stringAt(body, 'metadata', 'name'), /^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('PUT with an old resourceVersion is refused, without one it overwrites', async () => {
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

test('a write that changes nothing keeps the resourceVersion', async () => {
  const before = await server.send('GET', `${maps}/a`);
  const { text } = await server.send('PATCH', `${maps}/a`, { data: { k: 'w' } });
  assert.equal(text, before.text);
});

test('a missing object is not found, and PUT does not make it', async () => {
  const { status, body } = await server.send('PUT', `${maps}/none`, map('none'));
  assert.equal(status, 404);
  assert.deepEqual(body['details'], { name: 'none', kind: 'configmaps' });
});

test('unknown fields are warnings, errors or nothing, as the client asks', async () => {
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

test('finalizers hold a deleted object until they are gone', async () => {
  await server.send('POST', maps, map('fin', { finalizers: ['example.com/f'] }));
  const deleted = await server.send('DELETE', `${maps}/fin`);
  assert.equal(deleted.status, 200);
  assert.equal(numberAt(deleted.body, 'metadata', 'deletionGracePeriodSeconds'), 0);
  const freed = await server.send('PATCH', `${maps}/fin`, { metadata: { finalizers: null } });
  assert.equal(freed.status, 200);
  assert.equal((await server.send('GET', `${maps}/fin`)).status, 404);
});

test('a deletion with a wrong uid names the kind', async () => {
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

test('a JSON patch that fails its test is unprocessable', async () => {
  const patch = [{ op: 'test', path: '/data/k', value: 'no' }];
  const { status, body } = await server.send('PATCH', `${maps}/a`, patch, {
    'content-type': 'application/json-patch+json',
  });
  assert.equal(status, 422);
  assert.equal(body['message'], 'the server rejected our request due to an error in our request');
});

test('the router answers unknown resources, methods and forms with a Status', async () => {
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
