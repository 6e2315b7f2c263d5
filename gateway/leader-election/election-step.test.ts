import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSemanticVersion } from '#shared/apimachinery/values/semantic-version.ts';
import type { Candidate } from './candidate.ts';
import { chooseLeader, chooseStrategy } from './choose-leader.ts';
import { changedSpec } from './elected-lease.ts';
import { electionStep } from './election-step.ts';
import { microTime } from './micro-time.ts';

const second = 1_000_000;
const now = Date.parse('2026-01-01T00:00:00Z') * 1000;

interface Given {
  readonly name: string;
  readonly emulation?: string;
  readonly binary?: string;
  readonly strategy?: string;
  readonly renewed?: number | undefined;
  readonly pinged?: number | undefined;
  readonly createdMs?: number;
}

function candidate(given: Given): Candidate {
  const { emulation = '1.36.0', binary = '1.36.3', strategy = 'OldestEmulationVersion', createdMs = 0 } = given;
  return {
    namespace: 'kube-system',
    name: given.name,
    resourceVersion: '1',
    leaseName: 'component',
    strategy,
    emulation: parseSemanticVersion(emulation),
    binary: parseSemanticVersion(binary),
    createdMs,
    renewed: 'renewed' in given ? given.renewed : now,
    pinged: given.pinged,
  };
}

const held = (holderIdentity: string, renewed = now): Record<string, string | number> => ({
  holderIdentity,
  renewTime: microTime(renewed),
  leaseDurationSeconds: 5,
});

describe('chooseLeader', () => {
  test('takes the oldest emulated version, then the oldest binary, then the oldest candidate', () => {
    const [emulation, binary, age] = [
      { name: 'c', emulation: '1.35.0', createdMs: 9 },
      { name: 'b', binary: '1.36.0' },
      { name: 'a', createdMs: 1 },
    ].map(candidate);
    const first = candidate({ name: 'd', createdMs: 2 });
    assert.equal(chooseLeader([first, age as Candidate])?.name, 'a');
    assert.equal(chooseLeader([first, age as Candidate, binary as Candidate])?.name, 'b');
    assert.equal(chooseLeader([first, age as Candidate, binary as Candidate, emulation as Candidate])?.name, 'c');
  });

  test('passes over candidates without a valid version', () => {
    assert.equal(chooseLeader([candidate({ name: 'a', emulation: '' })]), undefined);
  });
});

describe('chooseStrategy', () => {
  test('takes that of the newest binary', () => {
    const others = [candidate({ name: 'a' }), candidate({ name: 'b', binary: '1.37.0', strategy: 'foo.com/bar' })];
    assert.equal(chooseStrategy(others), 'foo.com/bar');
  });

  test('throws if candidates with the same binary differ', () => {
    assert.throws(() => chooseStrategy([candidate({ name: 'a' }), candidate({ name: 'b', strategy: 'foo.com/bar' })]));
  });
});

describe('electionStep', () => {
  test('waits while the best candidate renews the lease', () => {
    assert.deepEqual(electionStep([candidate({ name: 'a' })], held('a'), now), { kind: 'wait' });
  });

  test('elects at once if all candidates were there within five seconds', () => {
    const all = [candidate({ name: 'a' }), candidate({ name: 'b', emulation: '1.35.0' })];
    const elected = { kind: 'elect', strategy: 'OldestEmulationVersion', holder: 'b' };
    for (const lease of [undefined, held('a'), held('a', now - 6 * second), { renewTime: microTime(now) }])
      assert.deepEqual(electionStep(all, lease, now), elected);
  });

  test('asks candidates that were not heard of for five seconds, and waits five seconds for answers', () => {
    const quiet = { name: 'a', renewed: now - 6 * second };
    assert.deepEqual(electionStep([candidate(quiet)], undefined, now), { kind: 'ask', candidates: [candidate(quiet)] });
    const asked = candidate({ ...quiet, pinged: now - 4 * second });
    assert.deepEqual(electionStep([asked], undefined, now), { kind: 'wait' });
  });

  test('goes on without candidates that do not answer, and fails without any', () => {
    const silent = candidate({ name: 'a', emulation: '1.34.0', renewed: now - 20 * second, pinged: now - 6 * second });
    assert.deepEqual(electionStep([silent, candidate({ name: 'b' })], undefined, now), {
      kind: 'elect',
      strategy: 'OldestEmulationVersion',
      holder: 'b',
    });
    assert.throws(() => electionStep([silent], undefined, now), /no candidate has answered/);
  });

  test('asks a candidate that was not renewed for a quarter of an hour, although the leader is the right one', () => {
    const old = candidate({ name: 'a', renewed: now - 16 * 60 * second });
    assert.equal(electionStep([old], held('a'), now).kind, 'ask');
  });

  test('leaves the holder of a strategy with a domain to others', () => {
    const own = candidate({ name: 'a', strategy: 'foo.com/bar' });
    assert.deepEqual(electionStep([own], held('x'), now), { kind: 'wait' });
    assert.deepEqual(electionStep([own], undefined, now), {
      kind: 'elect',
      strategy: 'foo.com/bar',
      holder: undefined,
    });
  });
});

describe('changedSpec', () => {
  const elected = { strategy: 'OldestEmulationVersion', holder: 'b' };

  test('asks a holder that renews to give the lease up', () => {
    const spec = { ...held('a'), strategy: elected.strategy };
    assert.deepEqual(changedSpec(spec, elected, now), { preferredHolder: 'b' });
    assert.equal(changedSpec({ ...spec, preferredHolder: 'b' }, elected, now), undefined);
    assert.equal(changedSpec({ ...spec, holderIdentity: 'b' }, elected, now), undefined);
  });

  test('gives an expired or unheld lease to the leader', () => {
    const given = {
      strategy: elected.strategy,
      preferredHolder: null,
      holderIdentity: 'b',
      renewTime: microTime(now),
      leaseDurationSeconds: 5,
      acquireTime: null,
    };
    for (const spec of [held('a', now - 6 * second), held('')])
      assert.deepEqual(changedSpec(spec, elected, now), given);
  });

  test('changes only the strategy where another controller chooses the holder', () => {
    assert.deepEqual(changedSpec(held('a'), { strategy: 'foo.com/bar', holder: undefined }, now), {
      strategy: 'foo.com/bar',
    });
  });
});
