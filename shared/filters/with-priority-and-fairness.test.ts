import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import { ReadWriteMetrics } from '#shared/flowcontrol/metrics/read-write-metrics.ts';
import { flowControlOfFacts } from '#shared/flowcontrol/testing/flow-control-of-facts.ts';
import { ManualClock } from '#shared/flowcontrol/testing/manual-clock.ts';
import { printFamilies } from '#shared/observability/exposition/testing/print-families.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { parseRequestInfo } from '#shared/request/parse-request-info.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { PlayedExchange } from './testing/played-exchange.ts';
import { withPriorityAndFairness } from './with-priority-and-fairness.ts';

interface Setup {
  readonly flowControl: FlowControl;
  readonly readWrite: ReadWriteMetrics;
  /** Names of the users whose requests reached the handler. */
  readonly reached: string[];
  readonly context: (user: string, exchange: PlayedExchange, more: Partial<RequestContext>) => RequestContext;
  readonly handle: (context: RequestContext) => void;
  readonly request: (user: string, exchange?: PlayedExchange, more?: Partial<RequestContext>) => PlayedExchange;
}

const seats = 100;

function setUp(serve: (context: RequestContext) => unknown = () => undefined): Setup {
  const clock = new ManualClock();
  const flowControl = flowControlOfFacts(clock, seats);
  const readWrite = new ReadWriteMetrics(clock);
  const reached: string[] = [];
  const filter = withPriorityAndFairness({ flowControl, requestTimeoutMs: 60_000, maxSending: 3, readWrite });
  const handler = filter((context) => {
    reached.push(context.user.name);
    serve(context);
  });
  const handle = (context: RequestContext): void => void handler(context);
  const contextOf: Setup['context'] = (name, exchange, more) => {
    const info = parseRequestInfo({ method: 'GET', path: '/api/v1/namespaces/a/configmaps/x', query: '' });
    const user = { name, uid: '', groups: ['system:authenticated'], extra: {} };
    const receivedAtMs = performance.now();
    const own = { exchange: exchange as unknown as Exchange, info, user, receivedAtMs, longRunning: false };
    return { ...own, ...more } as RequestContext;
  };
  return {
    flowControl,
    readWrite,
    reached,
    handle,
    context: contextOf,
    request(name, exchange = new PlayedExchange(), more = {}) {
      handle(contextOf(name, exchange, more));
      return exchange;
    },
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Takes all seats of ordinary users; returns their exchanges. */
function takeAll({ flowControl, reached, request }: Setup): PlayedExchange[] {
  const exchanges: PlayedExchange[] = [];
  for (;;) {
    const before = reached.length;
    const exchange = request(`user-${exchanges.length}`);
    if (reached.length === before) {
      exchange.end();
      assert.equal(flowControl.levels.get('global-default')?.queues.totals.requestsWaiting, 0);
      return exchanges;
    }
    exchanges.push(exchange);
  }
}

describe('withPriorityAndFairness', () => {
  test('names schema and level in headers, and lets a request through while there are seats', () => {
    const { reached, request } = setUp();
    const exchange = request('alice');
    assert.deepEqual(reached, ['alice']);
    assert.deepEqual(
      [...exchange.headers.keys()],
      ['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'],
    );
  });

  test('lets a request wait for the end of another', async () => {
    const setup = setUp();
    const [first] = takeAll(setup);
    setup.request('alice');
    await nextTurn();
    assert.equal(setup.reached.includes('alice'), false);
    first?.end();
    await nextTurn();
    assert.equal(setup.reached.at(-1), 'alice');
  });

  test('refuses a request that has waited for a quarter of its time', async () => {
    const setup = setUp();
    takeAll(setup);
    const receivedAtMs = performance.now();
    const waiting = setup.request('alice', new PlayedExchange(), { receivedAtMs, deadlineMs: receivedAtMs + 4 });
    await new Promise<void>((resolve) => waiting.onAnswer(resolve));
    assert.equal(waiting.status, 429);
    assert.equal(waiting.headers.get('retry-after'), '1');
    assert.equal(setup.reached.includes('alice'), false);
  });

  test('takes the seats of an answer that its client does not read', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const setup = setUp();
    const [stalled] = takeAll(setup);
    stalled?.beginAnswer();
    setup.request('alice');
    t.mock.timers.tick(50);
    await nextTurn();
    assert.equal(setup.reached.at(-1), 'alice');
  });

  test('forgets a request whose client goes while it waits', async () => {
    const setup = setUp();
    const [first] = takeAll(setup);
    setup.request('alice').end();
    first?.end();
    await nextTurn();
    assert.equal(setup.reached.includes('alice'), false);
  });

  test('gives the seats of a request away while its body is on the way', () => {
    const setup = setUp();
    const sending = setup.request('mallory', new PlayedExchange(true));
    const others = takeAll(setup).length;
    assert.equal(others, takeAll(setUp()).length);
    sending.sendBody();
    const { totals } = setup.flowControl.levels.get('global-default')?.queues ?? {};
    assert.equal(totals?.requestsExecuting, others + 1);
    sending.end();
    assert.equal(totals?.requestsExecuting, others);
  });

  test('refuses bodies of one user beyond the limit', () => {
    const setup = setUp();
    const sent = Array.from({ length: 4 }, () => setup.request('mallory', new PlayedExchange(true)));
    assert.deepEqual(
      sent.map(({ status }) => status),
      [0, 0, 0, 429],
    );
    assert.equal(setup.request('alice', new PlayedExchange(true)).status, 0);
  });

  describe('a watch', () => {
    const watchOf = (query: string): Partial<RequestContext> => ({
      longRunning: true,
      info: parseRequestInfo({ method: 'GET', path: '/api/v1/namespaces/a/configmaps', query: `watch=1${query}` }),
    });
    const executing = ({ flowControl }: Setup): number | undefined =>
      flowControl.levels.get('global-default')?.queues.totals.requestsExecuting;

    test('holds its seats until its initial events have been sent, where the server tells it', () => {
      const setup = setUp(({ watchStart }) => watchStart && (watchStart.isTold = true));
      const context = setup.context('alice', new PlayedExchange(), watchOf(''));
      setup.handle(context);
      (context.exchange as unknown as PlayedExchange).beginAnswer();
      assert.equal(executing(setup), 1);
      assert.equal(context.flow?.initLatencyMs, undefined);
      context.watchStart?.begun();
      assert.equal(executing(setup), 0);
      assert.equal(typeof context.flow?.initLatencyMs, 'number');
    });

    test('holds them until its answer begins where nobody tells more, or no events come first', () => {
      const untold = setUp();
      untold.request('alice', new PlayedExchange(), watchOf('')).beginAnswer();
      assert.equal(executing(untold), 0);
      const told = setUp(({ watchStart }) => watchStart && (watchStart.isTold = true));
      told.request('alice', new PlayedExchange(), watchOf('&resourceVersion=7')).beginAnswer();
      assert.equal(executing(told), 0);
    });

    test('loses them to others while its client does not read the initial events', async (t) => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      const setup = setUp(({ watchStart }) => watchStart && (watchStart.isTold = true));
      setup.request('alice', new PlayedExchange(), watchOf('')).beginAnswer();
      takeAll(setup);
      setup.request('bob');
      t.mock.timers.tick(50);
      await nextTurn();
      assert.equal(setup.reached.at(-1), 'bob');
    });
  });

  test('tells what it decided, and how long a request waited', async () => {
    const setup = setUp();
    const [first] = takeAll(setup);
    const noted: [string, number][] = [];
    const audit = { noteLatency: (layer: string, ms: number) => void noted.push([layer, ms]) };
    const context = setup.context('alice', new PlayedExchange(), { audit: audit as unknown as RequestAudit });
    setup.handle(context);
    first?.end();
    await nextTurn();
    assert.deepEqual(
      noted.map(([layer, ms]) => [layer, ms >= 0]),
      [['apf-queue-wait', true]],
    );
    const { flowSchema, priorityLevel, initialSeats, finalSeats, additionalLatencyNs, executionMs } =
      context.flow ?? {};
    assert.deepEqual(
      [flowSchema, priorityLevel, initialSeats, finalSeats, additionalLatencyNs, executionMs],
      ['global-default', 'global-default', 1, 0, 0, undefined],
    );
  });

  test('counts estimates, waits and executions by level and schema, and drops the numbers of schemas that are gone', async () => {
    const setup = setUp();
    const exchanges = takeAll(setup);
    const alice = setup.request('alice');
    for (const exchange of exchanges) exchange.end();
    await nextTurn();
    const { flowControl } = setup;
    const lines = (): string[] =>
      printFamilies(flowControl.metrics.families(flowControl.levels))
        .split('\n')
        .filter((line) => line.includes('global-default'));
    const flow = 'flow_schema="global-default",priority_level="global-default"';
    const count = exchanges.length + 2;
    for (const line of [
      `apiserver_flowcontrol_work_estimated_seats_sum{${flow}} ${count}`,
      `apiserver_flowcontrol_request_queue_length_after_enqueue_count{${flow}} ${count}`,
      `apiserver_flowcontrol_request_wait_duration_seconds_count{execute="false",${flow}} 1`,
      `apiserver_flowcontrol_request_execution_seconds_count{${flow},type="regular"} ${exchanges.length}`,
      `apiserver_flowcontrol_current_executing_requests{${flow}} 1`,
    ])
      assert.ok(lines().includes(line), `${line} in\n${lines().join('\n')}`);
    assert.equal(setup.readWrite.executing.readOnly.ratio.count, 0);
    alice.end();
    flowControl.configure([], []);
    assert.deepEqual(
      lines().filter((line) => line.startsWith('apiserver_flowcontrol_current_')),
      [],
    );
  });

  test('lets exec and the like through without seats', () => {
    const setup = setUp();
    takeAll(setup);
    setup.request('alice', new PlayedExchange(), { longRunning: true });
    assert.equal(setup.reached.at(-1), 'alice');
  });
});
