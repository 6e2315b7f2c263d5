import { setTimeout as sleep } from 'node:timers/promises';
import { probeAddresses } from './probes/addresses.ts';
import { probeFresh } from './probes/fresh.ts';
import { createByHttp1, createByHttp2 } from './probes/in-flight.ts';
import { probeKeptHttp1, probeKeptHttp2 } from './probes/kept.ts';
import { followByHttp1, followByHttp2, preparePod, startLogKubelet } from './probes/logs.ts';
import { probeServiceEndpoints } from './probes/service-endpoints.ts';
import { everyMs, type Target } from './probes/target.ts';
import { watchByHttp1, watchByHttp2 } from './probes/watches.ts';
import type { Scenario } from './scenarios.ts';
import { Timeline, type Change } from './timeline.ts';

/** A server that is to be ended. */
export interface Subject {
  readonly url: string;
  readonly token: string;
  readonly etcdUrl: string;
  /** The process that gets the signal. */
  readonly pid: number;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

const beforeSignalMs = 1_000;
const afterEndMs = 300;
const kept = '/api/v1/namespaces/default/configmaps?limit=1';

/** Ends the server while every kind of client is at work. @returns what each saw, and when */
export async function observe(subject: Subject, scenario: Scenario): Promise<ReadonlyMap<string, readonly Change[]>> {
  const timeline = new Timeline();
  const over = new AbortController();
  const target: Target = { ...subject, timeline, over: over.signal };
  const probes = [
    ...['/readyz', '/livez', '/healthz', '/readyz?verbose'].map((path) => probeFresh(target, path)),
    probeFresh(target, kept, false),
    ...[true, false].flatMap((isIdle) => [probeKeptHttp1(target, kept, isIdle), probeKeptHttp2(target, kept, isIdle)]),
    probeAddresses(target, subject.etcdUrl),
    probeServiceEndpoints(target),
  ];
  const kubelet = scenario.hasLogs === true ? await startLogKubelet() : undefined;
  if (kubelet !== undefined) {
    await preparePod(subject.url, kubelet.port);
    await Promise.all([followByHttp1(target), followByHttp2(target)]);
  }
  if (scenario.hasWatches) await Promise.all([watchByHttp1(target), watchByHttp2(target)]);
  await sleep(beforeSignalMs);
  while (timeline.last('master leases') === 'none') await sleep(everyMs);
  createByHttp1(target, 'create by HTTP/1.1', scenario.bodyAfterMs + beforeSignalMs / 2);
  createByHttp2(target, 'create by HTTP/2', scenario.bodyAfterMs + beforeSignalMs / 2);
  await sleep(beforeSignalMs / 2);
  timeline.start();
  process.kill(subject.pid, 'SIGTERM');
  if (scenario.againAfterMs !== undefined) await again(subject, scenario.againAfterMs);
  const code = await Promise.race([subject.ended, sleep(scenario.withinMs, 'none yet', { ref: false })]);
  timeline.note('exit', String(code));
  await sleep(afterEndMs);
  over.abort();
  await Promise.all(probes);
  kubelet?.close();
  return timeline.changes;
}

/** The second signal. */
async function again({ pid }: Subject, afterMs: number): Promise<void> {
  await sleep(afterMs);
  process.kill(pid, 'SIGTERM');
}
