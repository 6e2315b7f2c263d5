import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import type { AuditDecision } from '#shared/audit/contract/audit-policy.ts';
import { AuditMetrics } from '#shared/audit/recorder/audit-metrics.ts';
import type { AuditRecorder } from '#shared/audit/recorder/audit-trail.ts';
import { sampleLines } from '#shared/observability/exposition/testing/sample-lines.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { auditRefusal, withAudit } from './with-audit.ts';

interface Rig {
  readonly context: RequestContext;
  readonly auditing: AuditRecorder;
  readonly events: AuditEvent[];
  readonly conflicts: string[];
  /** Begins the answer, or ends the exchange. */
  answer(status: number): void;
  close(): void;
  /** What a filter itself sent. */
  readonly sent: unknown[];
}

function rig(decision: Partial<AuditDecision> = {}, stores: boolean | Promise<boolean> = true): Rig {
  const onAnswer: (() => void)[] = [];
  const onClose: (() => void)[] = [];
  const sent: unknown[] = [];
  const exchange = {
    method: 'GET',
    path: '/api/v1/namespaces/a/pods',
    query: 'x=%20',
    headers: { 'user-agent': 'a'.repeat(2000) },
    remoteAddress: '::ffff:127.0.0.1',
    statusCode: 0,
    onAnswer: (listener: () => void) => onAnswer.push(listener),
    onComplete: (listener: () => void) => onClose.push(listener),
    send: (...answer: unknown[]) => sent.push(...answer),
  };
  const context = {
    exchange,
    receivedAtMs: performance.now(),
    auditId: 'id',
    longRunning: false,
    user: { name: 'u', uid: '', groups: [], extra: {} },
    info: { isResourceRequest: true, verb: 'list', resource: 'pods', apiVersion: 'v1', namespace: 'a', name: '' },
  } as unknown as RequestContext;
  const events: AuditEvent[] = [];
  const conflicts: string[] = [];
  const auditing: AuditRecorder = {
    policy: { decide: () => ({ level: 'Metadata', omitStages: new Set(), omitManagedFields: false, ...decision }) },
    sink: {
      name: 'fake',
      process(some) {
        events.push(...some);
        return stores;
      },
      close: async () => undefined,
    },
    metrics: new AuditMetrics([]),
    onConflict: (key) => conflicts.push(key),
  };
  const run = (listeners: (() => void)[]): void => listeners.splice(0).forEach((listener) => listener());
  return {
    context,
    auditing,
    events,
    conflicts,
    sent,
    answer(status) {
      exchange.statusCode = status;
      run(onAnswer);
    },
    close() {
      run(onAnswer);
      run(onClose);
    },
  };
}

const stages = ({ events }: Rig): string[] => events.map(({ stage }) => stage);
const metricsOf = ({ auditing }: Rig): string[] => auditing.metrics.families().flatMap((one) => sampleLines(one));

describe('withAudit', () => {
  it('leaves requests alone to which the policy gives no level', () => {
    const made = rig({ level: 'None' });
    void withAudit(made.auditing)?.(() => undefined)(made.context);
    made.close();
    assert.deepEqual([made.events.length, made.context.audit], [0, undefined]);
    assert.deepEqual(metricsOf(made), [
      'apiserver_audit_level_total{level="None"} 1',
      'apiserver_audit_event_total 0',
      'apiserver_audit_requests_rejected_total 0',
      'quarterdeck_audit_truncated_requests_total 0',
    ]);
  });

  it('writes one event as the request arrives, and one as the answer ends', () => {
    const made = rig();
    void withAudit(made.auditing)?.(({ audit }) => audit?.annotate('k', 'v'))(made.context);
    made.answer(404);
    made.context.audit?.noteStatus({ status: 'Failure', message: 'no' });
    made.close();
    made.close();
    assert.deepEqual(stages(made), ['RequestReceived', 'ResponseComplete']);
    const [first, last] = made.events as [AuditEvent, AuditEvent];
    assert.deepEqual([first.annotations.size, first.responseStatus], [0, undefined]);
    assert.equal(first.receivedAtUs, first.stageAtUs);
    assert.deepEqual(last.responseStatus, { status: 'Failure', message: 'no', code: 404 });
    assert.deepEqual([...last.annotations], [['k', 'v']]);
    assert.deepEqual(last.sourceIps, ['127.0.0.1']);
    assert.equal(last.requestUri, '/api/v1/namespaces/a/pods?x=%20');
    assert.equal(last.userAgent, `${'a'.repeat(1024)}...TRUNCATED`);
  });

  for (const [ms, latencies] of [
    [500, []],
    [
      1501.5,
      [
        ['apiserver.latency.k8s.io/authentication', '1.5s'],
        ['apiserver.latency.k8s.io/etcd', '250µs'],
        ['apiserver.latency.k8s.io/total', '1.5015s'],
      ],
    ],
  ] as const)
    it(`tells where the time went of a request of ${ms} ms${latencies.length === 0 ? ', which is fast: not' : ''}`, (t) => {
      const now = t.mock.method(performance, 'now', () => 1000);
      const made = rig();
      now.mock.mockImplementation(() => 2500);
      void withAudit(made.auditing)?.(({ audit }) => audit?.noteLatency('etcd', 0.25))(made.context);
      now.mock.mockImplementation(() => 1000 + ms);
      made.close();
      assert.deepEqual([...(made.events[1]?.annotations ?? [])], latencies);
    });

  it('writes that the answer of a long-running request begins', () => {
    const made = rig();
    made.context.longRunning = true;
    void withAudit(made.auditing)?.(() => undefined)(made.context);
    made.answer(200);
    made.close();
    assert.deepEqual(stages(made), ['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
  });

  it('leaves out the stages that the policy omits', () => {
    const made = rig({ omitStages: new Set(['RequestReceived']) });
    void withAudit(made.auditing)?.(() => undefined)(made.context);
    made.answer(200);
    made.close();
    assert.deepEqual(stages(made), ['ResponseComplete']);
  });

  it('tells of a client that left early, as the reference does', () => {
    const made = rig();
    void withAudit(made.auditing)?.(() => undefined)(made.context);
    made.close();
    assert.deepEqual(made.events[1]?.responseStatus, {
      status: 'Success',
      message: 'Connection closed early',
      code: 200,
    });
  });

  it('writes the stage Panic for a fault of the server', () => {
    const made = rig();
    void withAudit(made.auditing)?.(({ audit }) => audit?.notePanic('boom'))(made.context);
    made.answer(500);
    made.close();
    assert.deepEqual(stages(made), ['RequestReceived', 'Panic']);
    assert.equal(made.events[1]?.responseStatus?.message, "APIServer panic'd: boom");
  });

  it('tells what a proxy answers a request that its client gave up, whatever a filter has answered', () => {
    const made = rig({ level: 'RequestResponse' });
    const object = Buffer.from('{}');
    void withAudit(made.auditing)?.(({ audit }) => {
      audit?.noteStatus({ status: 'Failure', message: 'overdue' });
      audit?.noteIfGivenUp({ status: { code: 503 }, object });
    })(made.context);
    made.answer(504);
    made.close();
    assert.deepEqual([made.events[1]?.responseStatus, made.events[1]?.responseObject], [{ code: 503 }, object]);
  });

  for (const [name, outcome, stage] of [
    ['Panic for a proxied answer that is given up in its midst', { panic: 'boom' }, 'Panic'],
    ['ResponseComplete for a proxied answer that was given whole', undefined, 'ResponseComplete'],
  ] as const)
    it(`writes the stage ${name}`, () => {
      const made = rig();
      void withAudit(made.auditing)?.(({ audit }) => {
        audit?.noteIfGivenUp({ panic: 'boom' });
        audit?.noteIfGivenUp(outcome);
      })(made.context);
      made.answer(200);
      made.close();
      assert.deepEqual(stages(made), ['RequestReceived', stage]);
    });

  it('keeps the first value of an annotation', () => {
    const made = rig();
    void withAudit(made.auditing)?.(({ audit }) => {
      audit?.annotate('k', 'first');
      audit?.annotate('k', 'second');
    })(made.context);
    made.close();
    made.context.audit?.annotate('late', 'x');
    assert.deepEqual([[...(made.events[1]?.annotations ?? [])], made.conflicts], [[['k', 'first']], ['k']]);
  });

  it('leaves objects out that take too much memory together, and says so', () => {
    const [kept, left] = [rig({ level: 'RequestResponse' }), rig({ level: 'RequestResponse' })];
    const half = Buffer.alloc(40 * 1024 * 1024);
    for (const { context, auditing } of [kept, left])
      void withAudit(auditing)?.(({ audit }) => audit?.noteResponse(half))(context);
    left.close();
    kept.close();
    assert.deepEqual(
      [kept, left].map(({ events }) => [
        events[1]?.responseObject?.length,
        events[1]?.annotations.get('audit.k8s.io/truncated'),
      ]),
      [
        [half.length, undefined],
        [undefined, 'true'],
      ],
    );
    assert.ok(metricsOf(left).includes('quarterdeck_audit_truncated_requests_total 1'));
    const next = rig({ level: 'RequestResponse' });
    void withAudit(next.auditing)?.(({ audit }) => audit?.noteResponse(half))(next.context);
    next.close();
    assert.equal(next.events[1]?.responseObject?.length, half.length);
  });

  for (const [name, stored] of [
    ['at once', false],
    ['later', Promise.resolve(false)],
  ] as const) {
    it(`refuses a request whose first event could not be written, told ${name}`, async () => {
      const made = rig({}, stored);
      await withAudit(made.auditing)?.(() => assert.fail('passed on'))(made.context);
      made.close();
      assert.equal(made.sent[0], 500);
      assert.match(String(made.sent[2]), /^Internal Server Error: .*: failed to store audit event\n$/);
      assert.deepEqual(stages(made), ['RequestReceived']);
      assert.ok(metricsOf(made).includes('apiserver_audit_requests_rejected_total 1'));
    });
  }
});

describe('auditRefusal', () => {
  it('writes one event, as the answer begins', () => {
    const made = rig();
    auditRefusal(made.context, made.auditing, 'why');
    made.answer(401);
    made.close();
    assert.deepEqual(stages(made), ['ResponseStarted']);
    assert.deepEqual(made.events[0]?.responseStatus, { message: 'why', code: 401 });
  });
});
