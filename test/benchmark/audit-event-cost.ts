// What the two events of a write at level Metadata cost the gateway, to where their bytes are queued, in microseconds
// of processor time for one event:
//   node --import tsx test/benchmark/audit-event-cost.ts [--events NUMBER]
import { parseArgs } from 'node:util';
import type { AuditSink } from '#shared/audit/contract/audit-sink.ts';
import { compilePolicy } from '#shared/audit/policy/compile-policy.ts';
import { AuditMetrics } from '#shared/audit/recorder/audit-metrics.ts';
import { eventLine } from '#shared/audit/sinks/writing/event-line.ts';
import { withAudit } from '#shared/filters/with-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';

const { values } = parseArgs({ options: { events: { type: 'string', default: '400000' } } });
const turns = 10;
const requests = Number(values.events) / 2 / turns;

let bytes = 0;
const sink: AuditSink = {
  name: 'counting',
  process(events) {
    for (const event of events) bytes += eventLine(event).length;
    return true;
  },
  close: () => Promise.resolve(),
};
const rule = {
  omitManagedFields: undefined,
  users: [],
  userGroups: [],
  verbs: [],
  namespaces: [],
  resources: [],
  nonResourceUrls: [],
};
const policy = compilePolicy({
  rules: [{ ...rule, level: 'Metadata', omitStages: [] }],
  omitStages: [],
  omitManagedFields: false,
});
const filter = withAudit({ policy, sink, metrics: new AuditMetrics([]), onConflict: () => undefined });
const user = { name: 'admin', uid: 'u1', groups: ['system:masters', 'system:authenticated'], extra: {} };
const info = {
  isResourceRequest: true,
  verb: 'create',
  path: '/api/v1/namespaces/default/configmaps',
  resource: 'configmaps',
  subresource: '',
  apiGroup: '',
  apiVersion: 'v1',
  namespace: 'default',
  name: '',
};

/** One request, as the gateway and its backend tell of it. */
function request(number: number, handle: (context: RequestContext) => void | Promise<void>): void {
  const ends: (() => void)[] = [];
  const exchange = {
    path: info.path,
    query: 'fieldManager=kubectl',
    headers: { 'user-agent': 'kubectl/v1.36.3 (linux/amd64) kubernetes/1234567' },
    remoteAddress: '127.0.0.1',
    statusCode: 201,
    onAnswer: () => undefined,
    onComplete: (listener: () => void) => ends.push(listener),
  };
  const auditId = `4f1b1f4e-27a4-4d8a-8a6a-${String(number).padStart(12, '0')}`;
  const context = { exchange, user, info, auditId, longRunning: false, receivedAtMs: performance.now() };
  void handle(context as unknown as RequestContext);
  for (const end of ends) end();
}

const handle = filter?.(({ audit }) => {
  audit?.annotate('authorization.k8s.io/decision', 'allow');
  audit?.annotate('authorization.k8s.io/reason', '');
  audit?.noteObject({ name: 'a', namespace: 'default', uid: '1e0f', resourceVersion: '17' });
});
if (handle === undefined) throw new Error('no filter');
const costs: number[] = [];
for (let turn = 0; turn < turns; turn++) {
  const before = process.cpuUsage();
  for (let number = 0; number < requests; number++) request(number, handle);
  const { user: userUs, system } = process.cpuUsage(before);
  costs.push((userUs + system) / requests / 2);
}
// The least is what the machine's other work disturbs least.
console.log(`${Math.min(...costs).toFixed(2)} us an event of ${(bytes / requests / 2 / turns).toFixed(0)} bytes`);
