import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EventLimitRule } from '#shared/admission/configuration/event-rate-limit-configuration.ts';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { podAttributes, refusalOf } from '#shared/admission/testing/attributes.ts';
import { EventRateLimit } from './event-rate-limit.ts';

const rule = { qps: 1, burst: 2, cacheSize: 0 };

/** The creation of an event with these changes. */
function event(
  change: Partial<AdmissionAttributes> = {},
  source: Record<string, string> = {},
  name = 'p',
): AdmissionAttributes {
  return podAttributes({
    kind: { group: '', version: 'v1', kind: 'Event' },
    resource: { group: '', version: 'v1', resource: 'events' },
    object: { metadata: { name: 'e' }, source, involvedObject: { kind: 'Pod', name } },
    ...change,
  });
}

/** The plugin with a clock that stands still until a test moves it. */
class LimitedEvents {
  now = 0;
  readonly #plugin: EventRateLimit;

  constructor(...limits: readonly EventLimitRule[]) {
    this.#plugin = new EventRateLimit(limits, () => this.now);
  }

  async send(attributes: AdmissionAttributes): Promise<string | undefined> {
    const status = await refusalOf(this.#plugin, attributes);
    if (status !== undefined) assert.deepEqual([status.code, status.reason], [429, 'TooManyRequests']);
    return status?.message;
  }
}

describe('EventRateLimit', () => {
  test('admits the burst of a namespace, then one event for each second of qps', async () => {
    const events = new LimitedEvents({ ...rule, type: 'Namespace' });
    assert.equal(await events.send(event()), undefined);
    assert.equal(await events.send(event()), undefined);
    assert.equal(await events.send(event()), 'Too many requests: limit reached on type Namespace for key a');
    assert.equal(await events.send(event({ namespace: 'b' })), undefined);
    events.now = 1000;
    assert.equal(await events.send(event()), undefined);
    assert.equal(await events.send(event()), 'Too many requests: limit reached on type Namespace for key a');
  });

  test('names all limits that are reached, in the order of the configuration', async () => {
    const events = new LimitedEvents(
      { ...rule, type: 'Server', burst: 1 },
      { ...rule, type: 'User', burst: 1 },
      { ...rule, type: 'SourceAndObject', burst: 1 },
    );
    await events.send(event({}, { component: 'c', host: 'h' }));
    assert.equal(
      await events.send(event({}, { component: 'c', host: 'h' })),
      'Too many requests: [limit reached on type Server for key , limit reached on type User for key u, limit reached on type SourceAndObject for key chPodp]',
    );
  });

  test('keeps sources and objects apart whose names only look alike when joined', async () => {
    const events = new LimitedEvents({ ...rule, type: 'SourceAndObject', burst: 1 });
    assert.equal(await events.send(event({}, { component: 'ab', host: 'c' })), undefined);
    assert.equal(await events.send(event({}, { component: 'a', host: 'bc' })), undefined);
    assert.equal(
      await events.send(event({}, { component: 'a', host: 'bc' })),
      'Too many requests: limit reached on type SourceAndObject for key abcPodp',
    );
  });

  test('forgets the bucket that was not used for longest', async () => {
    const events = new LimitedEvents({ ...rule, type: 'Namespace', burst: 1, cacheSize: 2 });
    for (const namespace of ['a', 'b', 'a', 'c']) await events.send(event({ namespace }));
    assert.equal(await events.send(event({ namespace: 'b' })), undefined);
    assert.equal(
      await events.send(event({ namespace: 'c' })),
      'Too many requests: limit reached on type Namespace for key c',
    );
  });

  test('does not count dry runs, and handles events of the core group only', async () => {
    const events = new LimitedEvents({ ...rule, type: 'Server', burst: 1 });
    for (let sent = 0; sent < 3; sent++) assert.equal(await events.send(event({ dryRun: true })), undefined);
    const plugin = new EventRateLimit([]);
    assert.ok(plugin.handles('UPDATE', { group: '', resource: 'events' }));
    assert.ok(!plugin.handles('CREATE', { group: 'events.k8s.io', resource: 'events' }));
    assert.ok(!plugin.handles('DELETE', { group: '', resource: 'events' }));
  });
});
