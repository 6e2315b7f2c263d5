import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { findCondition } from '#servers/extensions/crds/conditions.ts';
import { cleanupFinalizer } from '#servers/extensions/crds/definition-strategy.ts';
import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { Finalizing } from './finalizing.ts';

const name = 'crontabs.example.com';
const view = { name, finalizing: true, established: true } as DefinitionView;

/** A definition that is being deleted, and what the controller did with it in order. */
class Deletion {
  readonly object: KubeObject = { metadata: { name, finalizers: ['own', cleanupFinalizer] } };
  readonly done: string[] = [];
  readonly errors: unknown[] = [];
  isGone = false;
  /** Whether the definition is not being deleted any more. */
  isUndone = false;
  /** How many custom resources a round leaves, or the error of that round. */
  left: (number | Error)[] = [];
  readonly controller = new Finalizing(
    {
      isDeleting: () => !this.isUndone,
      update: async (_name, change) => {
        if (this.isGone) return false;
        change(this.object);
        const { reason, status } = findCondition(this.object, 'Terminating') ?? {};
        this.done.push(`${String(reason)} ${String(status)}`);
        return true;
      },
      removeInstances: async () => {
        this.done.push('remove');
        const left = this.left.shift() ?? 0;
        if (left instanceof Error) throw left;
        return left;
      },
      onError: (error) => this.errors.push(error),
    },
    () => this.#nowMs,
  );

  #nowMs = 0;

  /** Lets the time pass, and the work that it sets off run to its end. */
  async after(ms: number): Promise<string[]> {
    this.#nowMs += ms;
    mock.timers.tick(ms);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    return this.done.splice(0);
  }
}

describe('Finalizing', () => {
  let deletion: Deletion;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    deletion = new Deletion();
  });

  afterEach(() => {
    deletion.controller.close();
    mock.timers.reset();
  });

  test('deletes the custom resources 200 ms after it told of the deletion, then removes its finalizer', async () => {
    deletion.controller.startIfDeleting(view);
    assert.deepEqual(await deletion.after(0), ['InstanceDeletionInProgress True']);
    assert.deepEqual(await deletion.after(199), []);
    assert.deepEqual(await deletion.after(1), ['remove', 'InstanceDeletionCompleted False']);
    assert.deepEqual(deletion.object.metadata.finalizers, ['own']);
    assert.deepEqual(await deletion.after(60_000), []);
  });

  test('looks again each second while custom resources are left', async () => {
    deletion.left = [2, 1];
    deletion.controller.startIfDeleting(view);
    await deletion.after(0);
    assert.deepEqual(await deletion.after(200), ['remove']);
    assert.deepEqual(await deletion.after(999), []);
    assert.deepEqual(await deletion.after(1), ['remove']);
    assert.deepEqual(await deletion.after(1000), ['remove', 'InstanceDeletionCompleted False']);
  });

  test('tells after a minute that custom resources are left', async () => {
    deletion.left = [1, 1];
    deletion.controller.startIfDeleting(view);
    await deletion.after(0);
    assert.deepEqual(await deletion.after(60_000), ['remove']);
    assert.deepEqual(await deletion.after(1000), ['remove', 'InstanceDeletionCheck True']);
    assert.equal(
      findCondition(deletion.object, 'Terminating')?.['message'],
      'could not confirm zero CustomResources remaining: timed out waiting for the condition',
    );
  });

  test('tells of a failed deletion and tries again', async () => {
    const failure = new Error('no storage');
    deletion.left = [failure];
    deletion.controller.startIfDeleting(view);
    await deletion.after(0);
    assert.deepEqual(await deletion.after(200), ['remove', 'InstanceDeletionFailed True']);
    assert.equal(findCondition(deletion.object, 'Terminating')?.['message'], 'could not issue all deletes: no storage');
    assert.deepEqual(deletion.errors, [failure]);
    assert.deepEqual(await deletion.after(10_000), ['remove', 'InstanceDeletionCompleted False']);
  });

  test('releases a definition that was never established without looking for custom resources', async () => {
    deletion.controller.startIfDeleting({ ...view, established: false });
    assert.deepEqual(await deletion.after(0), ['NeverEstablished False']);
    assert.deepEqual(deletion.object.metadata.finalizers, ['own']);
  });

  test('leaves a definition alone that is not being deleted, and starts once for one that is', async () => {
    deletion.controller.startIfDeleting({ ...view, finalizing: false });
    assert.deepEqual(await deletion.after(0), []);
    deletion.controller.startIfDeleting(view);
    deletion.controller.startIfDeleting(view);
    assert.deepEqual(await deletion.after(0), ['InstanceDeletionInProgress True']);
    deletion.controller.startIfDeleting(view);
    assert.deepEqual(await deletion.after(0), []);
  });

  test('starts again for a definition of the same name that was made after the first was gone', async () => {
    deletion.isGone = true;
    deletion.controller.startIfDeleting(view);
    await deletion.after(0);
    deletion.isGone = false;
    await deletion.after(200);
    deletion.controller.startIfDeleting(view);
    const seen = await deletion.after(0);
    assert.deepEqual(seen, ['InstanceDeletionInProgress True']);
  });

  test('of a definition whose deletion was undone meanwhile, changes nothing', async () => {
    deletion.controller.startIfDeleting(view);
    assert.deepEqual(await deletion.after(0), ['InstanceDeletionInProgress True']);
    deletion.isUndone = true;
    assert.deepEqual(await deletion.after(1_000), []);
    deletion.isUndone = false;
    deletion.controller.startIfDeleting(view);
    assert.deepEqual(await deletion.after(0), ['InstanceDeletionInProgress True']);
  });

  test('of a definition that was replaced by another one being deleted, cleans up that one from the beginning', async () => {
    deletion.left = [1];
    deletion.controller.startIfDeleting({ ...view, uid: 'first' });
    await deletion.after(0);
    assert.deepEqual(await deletion.after(200), ['remove']);
    deletion.controller.startIfDeleting({ ...view, uid: 'second' });
    assert.deepEqual(await deletion.after(0), ['InstanceDeletionInProgress True']);
    assert.deepEqual(await deletion.after(200), ['remove', 'InstanceDeletionCompleted False']);
  });

  test('of a definition that is deleted again soon after its deletion was undone, begins anew', async () => {
    deletion.left = [1];
    deletion.controller.startIfDeleting(view);
    await deletion.after(0);
    assert.deepEqual(await deletion.after(200), ['remove']);
    deletion.controller.startIfDeleting({ ...view, finalizing: false });
    deletion.controller.startIfDeleting(view);
    assert.deepEqual(await deletion.after(0), ['InstanceDeletionInProgress True']);
  });
});
