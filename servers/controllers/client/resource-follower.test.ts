import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { ApiError, type ApiRequest } from './api-client.ts';
import type { MetaObject } from './meta-object.ts';
import { ResourceFollower } from './resource-follower.ts';

/** A resource that a test fills, and takes out of service. Its watches tell nothing. */
class Resource {
  names: string[] = [];
  isServed = true;

  async send<T>({ path }: ApiRequest): Promise<T> {
    if (!this.isServed) throw new ApiError(`GET ${path}`, 404, '');
    const items = this.names.map((name) => ({ metadata: { name, uid: name, resourceVersion: '1' } }));
    return { metadata: { resourceVersion: '1' }, items } as T;
  }

  async *lines({ signal }: ApiRequest): AsyncGenerator<string> {
    if (signal?.aborted === false) await once(signal, 'abort');
    yield* [];
    throw new Error('the watch was ended');
  }
}

function follow(client: Resource): { readonly follower: ResourceFollower<MetaObject>; readonly told: string[] } {
  const told: string[] = [];
  const tell =
    (what: string) =>
    ({ metadata }: MetaObject): void =>
      void told.push(`${what} ${metadata.name}`);
  const follower = new ResourceFollower<MetaObject>({
    client,
    path: '/apis/example.com/v1/things',
    onSet: tell('set'),
    onRemoved: tell('removed'),
    onUnserved: tell('unserved'),
    onError: (error) => void told.push(String(error)),
  });
  return { follower, told };
}

describe('ResourceFollower', { timeout: 10_000 }, () => {
  test('takes a resource that is not served any more as listed at once, and forgets its objects', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const client = new Resource();
    client.names = ['a'];
    const { follower, told } = follow(client);
    await follower.listed;
    client.isServed = false;
    follower.refresh();
    await follower.listed;
    assert.deepEqual(told, ['set a', 'unserved a']);
    assert.deepEqual([...follower.objects], []);
    follower.close();
  });

  test('lists at once when it is refreshed during the pause in which a resource is not served', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const client = new Resource();
    client.isServed = false;
    const { follower, told } = follow(client);
    await follower.listed;
    await new Promise(setImmediate);
    client.isServed = true;
    client.names = ['b'];
    follower.refresh();
    await follower.listed;
    assert.deepEqual(told, ['set b']);
    follower.close();
  });
});
