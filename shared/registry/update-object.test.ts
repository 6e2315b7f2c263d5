import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, numberAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';
import { createRestResources, type RestResources } from './create-rest-resources.ts';
import type { UpdateRequest } from './resource-store.ts';
import type { OperationContext, Strategy } from './strategy.ts';
import { systemContext } from './system-context.ts';

/** A store of deployments in memory with the given rules. */
class Deployments {
  readonly #resources: RestResources;
  readonly storage = new MemoryStorage();
  /** Of all requests. */
  context: Partial<OperationContext> = {};

  constructor(strategy: Strategy) {
    this.#resources = createRestResources({
      facts: loadFacts(),
      storage: this.storage,
      definitions: [{ group: 'apps', resource: 'deployments', strategy }],
      servesGroup: (group) => group === 'apps',
    });
  }

  get store(): ReturnType<RestResources['store']> {
    return this.#resources.store('apps', 'deployments');
  }

  async create(object: JsonObject): Promise<KubeObject> {
    const made = asKubeObject({ apiVersion: 'apps/v1', kind: 'Deployment', ...cloneJson(object) });
    const { entry } = await this.store.create(made, this.#contextOf(''));
    return this.store.parse(entry);
  }

  /** Updates the object `d` with what `change` makes of it. */
  async update(
    change: (object: KubeObject) => void,
    request: Partial<UpdateRequest> = {},
  ): Promise<KubeObject & { readonly created: boolean }> {
    const subresource = request.subresource ?? '';
    const { entry, created } = await this.store.update(
      {
        name: 'd',
        subresource,
        transform: (existing) => {
          const object =
            existing ?? asKubeObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' } });
          change(object);
          return object;
        },
        ...request,
      },
      this.#contextOf(subresource),
    );
    return { ...this.store.parse(entry), created };
  }

  #contextOf(subresource: string): OperationContext {
    return { ...systemContext({ namespace: 'n', subresource }), ...this.context };
  }

  close(): void {
    this.#resources.caches.close();
  }
}

describe('update of an object', () => {
  let deployments: Deployments;
  const open = (strategy: Strategy = {}): Deployments => (deployments = new Deployments(strategy));

  beforeEach(() => void open());
  afterEach(() => deployments.close());

  test('keeps the status, and raises the generation by one if the spec changed', async () => {
    await deployments.create({ metadata: { name: 'd' }, spec: { replicas: 1 } });
    await deployments.update((object) => (object['status'] = { replicas: 1 }), { subresource: 'status' });
    const same = await deployments.update((object) => {
      object.metadata.labels = { a: 'b' };
      object['status'] = { replicas: 5 };
    });
    assert.deepEqual([same.metadata.generation, same['status']], [1, { replicas: 1 }]);
    const other = await deployments.update((object) => (object['spec'] = { replicas: 2 }));
    assert.equal(other.metadata.generation, 2);
  });

  test('writes nothing where nothing changes but the times of managers', async () => {
    const before = await deployments.create({ metadata: { name: 'd' }, spec: { replicas: 1 } });
    deployments.context = { nowMs: Date.now() + 60_000 };
    const after = await deployments.update(() => undefined);
    assert.equal(after.metadata.resourceVersion, before.metadata.resourceVersion);
    assert.deepEqual(after.metadata.managedFields, before.metadata.managedFields);
    const changed = await deployments.update((object) => (object['spec'] = { replicas: 2 }));
    assert.notEqual(changed.metadata.resourceVersion, before.metadata.resourceVersion);
    assert.notEqual(changed.metadata.managedFields?.[0]?.time, before.metadata.managedFields?.[0]?.time);
  });

  test('of the status keeps the rest, and lets labels be set', async () => {
    await deployments.create({ metadata: { name: 'd', labels: { a: 'b' } }, spec: { replicas: 1 } });
    const { metadata, ...rest } = await deployments.update(
      (object) => {
        object.metadata.labels = { a: 'c' };
        object['spec'] = { replicas: 2 };
        object['status'] = { replicas: 2 };
      },
      { subresource: 'status' },
    );
    assert.deepEqual(
      [metadata.labels, numberAt(rest, 'spec', 'replicas'), rest['status']],
      [{ a: 'c' }, 1, { replicas: 2 }],
    );
    assert.equal(metadata.generation, 1);
  });

  test('of the status keeps the metadata, too, where the strategy resets it', async () => {
    deployments.close();
    open({ resetFields: { status: [['metadata'], ['spec']] } });
    await deployments.create({ metadata: { name: 'd', labels: { a: 'b' } }, spec: { replicas: 1 } });
    const { metadata } = await deployments.update(
      (object) => (object.metadata = { ...object.metadata, labels: { a: 'c' }, finalizers: ['a.b/c'] }),
      { subresource: 'status' },
    );
    assert.deepEqual([metadata.labels, metadata.finalizers], [{ a: 'b' }, undefined]);
  });

  test('of the status keeps only what the strategy resets of the metadata', async () => {
    deployments.close();
    open({ resetFields: { status: [['metadata', 'deletionTimestamp'], ['spec']] } });
    await deployments.create({ metadata: { name: 'd', labels: { a: 'b' } } });
    const { metadata } = await deployments.update((object) => (object.metadata.labels = { a: 'c' }), {
      subresource: 'status',
    });
    assert.deepEqual(metadata.labels, { a: 'c' });
  });

  test('raises no generation where the strategy says so', async () => {
    for (const generation of ['none', 'first'] as const) {
      deployments.close();
      open({ generation });
      const made = await deployments.create({ metadata: { name: 'd' }, spec: { replicas: 1 } });
      const { metadata } = await deployments.update((object) => (object['spec'] = { replicas: 2 }));
      assert.equal(metadata.generation, made.metadata.generation);
    }
  });

  test('refuses another resourceVersion than the stored one', async () => {
    await deployments.create({ metadata: { name: 'd' } });
    await assert.rejects(
      deployments.update((object) => (object.metadata.resourceVersion = '1')),
      ({ code, reason }: StatusError) => code === 409 && reason === 'Conflict',
    );
  });
});

describe('update of an object that is missing', () => {
  let deployments: Deployments;

  beforeEach(() => (deployments = new Deployments({})));
  afterEach(() => deployments.close());

  test('is refused unless the request or the strategy lets it create', async () => {
    const failure = ({ code }: StatusError): boolean => code === 404;
    await assert.rejects(
      deployments.update(() => undefined),
      failure,
    );
    await assert.rejects(
      deployments.update(() => undefined, { createIfMissing: false }),
      failure,
    );
    assert.equal((await deployments.update(() => undefined, { createIfMissing: true })).created, true);
  });

  test('is taken of the object and its status where the strategy allows it, but not of other subresources', async () => {
    deployments.close();
    deployments = new Deployments({ allowCreateOnUpdate: true });
    await assert.rejects(
      deployments.update(() => undefined, { subresource: 'scale' }),
      ({ code }: StatusError) => code === 404,
    );
    assert.equal((await deployments.update(() => undefined, { subresource: 'status' })).created, true);
    assert.equal((await deployments.update(() => undefined)).created, false);
  });

  test('creates it with any well-formed resourceVersion', async () => {
    const made = await deployments.update((object) => (object.metadata.resourceVersion = '5'), {
      createIfMissing: true,
    });
    assert.equal(made.created, true);
    assert.notEqual(made.metadata.resourceVersion, '5');
    assert.equal(made.metadata.generation, 1);
  });

  test('shows the resourceVersion of the body in a dry run, which stores nothing', async () => {
    deployments.context = { dryRun: true };
    const made = await deployments.update((object) => (object.metadata.resourceVersion = '5'), {
      createIfMissing: true,
    });
    assert.equal(made.metadata.resourceVersion, '5');
    assert.equal((await deployments.storage.list('/')).items.length, 0);
  });

  test('refuses a uid precondition', async () => {
    await assert.rejects(
      deployments.update(() => undefined, { createIfMissing: true, preconditions: { uid: 'u' } }),
      ({ code }: StatusError) => code === 409,
    );
  });
});
