import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRequestInfo } from '#shared/request/parse-request-info.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { FlowControl } from './flow-control.ts';
import { readPriorityLevel } from './levels/priority-level-configuration.ts';
import type { FairRequest } from './queueset/fair-request.ts';
import { readFlowSchema } from './schemas/flow-schema.ts';
import { flowControlOfFacts } from './testing/flow-control-of-facts.ts';
import { ManualClock } from './testing/manual-clock.ts';

const user = (name: string, ...groups: string[]): UserInfo => ({ name, uid: '', groups, extra: {} });
const get = (path: string): RequestInfo => parseRequestInfo({ method: 'GET', path, query: '' });
const alice = user('alice', 'system:authenticated');
const configMap = get('/api/v1/namespaces/default/configmaps/a');

function start(flowControl: FlowControl, who: UserInfo, info = configMap): FairRequest | undefined {
  const { schema, level, flowDistinguisher, hash } = flowControl.classify(info, who);
  const estimate = flowControl.estimate(info, flowControl.classify(info, who));
  const arrival = { flowSchema: schema.name, flowDistinguisher, hash, estimate, user: who, info, onExecute: () => {} };
  return level.queues.start(arrival);
}

describe('FlowControl', () => {
  test('puts masters into the level without limits, and others by the first schema that is about them', () => {
    const flowControl = flowControlOfFacts(new ManualClock(), 600);
    const of = (who: UserInfo, info: RequestInfo): string => {
      const { schema, level } = flowControl.classify(info, who);
      return `${schema.name} ${level.configuration.name}`;
    };
    assert.equal(of(user('root', 'system:masters'), configMap), 'exempt exempt');
    assert.equal(of(alice, configMap), 'global-default global-default');
    assert.equal(of(alice, get('/healthz')), 'probes exempt');
    assert.equal(of(user('nobody'), configMap), 'catch-all catch-all');
  });

  test('lends seats that other levels did not want in the last period', () => {
    const clock = new ManualClock();
    const flowControl = flowControlOfFacts(clock, 600);
    const level = flowControl.levels.get('global-default');
    assert.ok(level);
    const before = level.currentLimit;
    for (let i = 0; i < 3 * before; i++) start(flowControl, alice);
    clock.moveTo(10e9);
    flowControl.levels.rebalance();
    assert.ok(level.currentLimit > before, `${level.currentLimit} is not above ${before}`);
    assert.ok(level.currentLimit <= level.maxLimit);
    assert.equal(level.queues.totals.requestsExecuting, Math.min(3 * before, level.currentLimit));
  });

  test('keeps a level whose object is gone until its requests have ended', () => {
    const flowControl = flowControlOfFacts(new ManualClock(), 600);
    const request = start(flowControl, alice);
    assert.equal(request?.state, 'executing');
    const { queues } = flowControl.levels.get('global-default') ?? {};
    flowControl.configure([], []);
    assert.equal(flowControl.levels.get('global-default')?.isQuiescing, true);
    assert.equal(flowControl.classify(configMap, alice).schema.name, 'catch-all');
    queues?.finish(request);
    flowControl.levels.rebalance();
    assert.equal(flowControl.levels.get('global-default'), undefined);
  });

  test('makes no more queues than are of use, whatever a level asks for', () => {
    const flowControl = flowControlOfFacts(new ManualClock(), 600);
    const queuing = { queues: 10_000_000, handSize: 2, queueLengthLimit: 50 };
    const limited = { nominalConcurrencyShares: 10, limitResponse: { type: 'Queue', queuing } };
    const wide = readPriorityLevel({ metadata: { name: 'wide' }, spec: { type: 'Limited', limited } });
    assert.ok(wide);
    flowControl.configure([wide], []);
    assert.equal(flowControl.levels.get('wide')?.queues.queues.length, 16_384);
  });

  test('leaves out schemas without a level', () => {
    const flowControl = flowControlOfFacts(new ManualClock(), 600);
    const rules = [
      {
        subjects: [{ kind: 'Group', group: { name: '*' } }],
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
      },
    ];
    flowControl.configure(
      [],
      [
        readFlowSchema({
          metadata: { name: 'a' },
          spec: { matchingPrecedence: 2, priorityLevelConfiguration: { name: 'broken' }, rules },
        }),
      ],
    );
    assert.equal(flowControl.levels.get('broken'), undefined);
    assert.equal(flowControl.classify(configMap, alice).schema.name, 'catch-all');
  });
});
