import { setTimeout as pause } from 'node:timers/promises';
import type { Side } from '#test/compare/pair.ts';
import { ask } from '#test/conformance/metrics/side.ts';

const settleMs = 100;
/** The webhook that is asked answers nothing for a second. */
const sparedSeconds = 0.9;

/** How many seconds creates of ConfigMaps took, by family. */
async function secondsOf(side: Side): Promise<{ readonly all: number; readonly sli: number }> {
  const { text } = await ask(side, { path: '/metrics', accept: 'text/plain' });
  const sumOf = (name: string): number =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`apiserver_request_${name}_sum{`))
      .filter((line) => /resource="configmaps"/.test(line) && /verb="POST"/.test(line) && !/dry_run="All"/.test(line))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  return { all: sumOf('duration_seconds'), sli: sumOf('sli_duration_seconds') };
}

/** Whether durations for SLIs leave out a webhook that hangs for a second, and others do not. */
export async function sparesWebhooks(side: Side): Promise<{ readonly all: boolean; readonly sli: boolean }> {
  const before = await secondsOf(side);
  const metadata = { name: 'slow', labels: { validating: 'hang' } };
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  await ask(side, { method: 'POST', path: '/api/v1/namespaces/counted/configmaps', body });
  await pause(settleMs);
  const after = await secondsOf(side);
  return { all: after.all - before.all < sparedSeconds, sli: after.sli - before.sli < sparedSeconds };
}
