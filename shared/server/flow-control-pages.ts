import type { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import { dumpPriorityLevels, dumpQueues, dumpRequests } from '#shared/flowcontrol/pages/dump-pages.ts';
import type { PathMux } from './path-mux.ts';

const folder = '/debug/api_priority_and_fairness';

/** Pages that show the queues of priority and fairness. */
export function installFlowControlPages(mux: PathMux, flowControl: FlowControl): void {
  const page = (name: string, text: (withDetails: boolean) => string): void =>
    mux.handle(
      `${folder}/${name}`,
      ({ exchange, info }) => {
        const body = text((info.query.get('includeRequestDetails') ?? '') !== '');
        exchange.send(200, { 'content-type': 'text/plain; charset=utf-8' }, body);
      },
      'unlisted',
    );
  page('dump_priority_levels', () => dumpPriorityLevels(flowControl));
  page('dump_queues', () => dumpQueues(flowControl));
  page('dump_requests', (withDetails) => dumpRequests(flowControl, withDetails, timeOfDay));
}

/** RFC 3339 with microseconds, of a reading of the monotonic clock in nanoseconds. */
function timeOfDay(clockNs: number): string {
  const micros = Math.round((performance.timeOrigin + clockNs / 1e6) * 1e3);
  const whole = new Date(Math.floor(micros / 1e6) * 1e3).toISOString().slice(0, 19);
  return `${whole}.${String(micros % 1e6).padStart(6, '0')}Z`;
}
