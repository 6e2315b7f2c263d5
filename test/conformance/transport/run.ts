import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Compares what this server and the reference do with connections: GOAWAY, clients without identity, and an end with
// --shutdown-send-retry-after while a request is under way:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/transport/run.ts
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { startCluster } from '#test/cluster.ts';
import { Report } from '#test/compare/report.ts';
import { startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { connectionsForRequests } from './connections.ts';
import { endDuringRequest } from './end-during-request.ts';

const requests = 1_600;
const chance = 0.02;
/** Four standard deviations around what is expected of so many requests: the two meet it all but always. */
const [fewest, most] = [-4, 4].map(
  (times) => requests * chance + times * Math.sqrt(requests * chance * (1 - chance)),
) as [number, number];

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly close: () => Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), 'transport-'));
const flags = [`--goaway-chance=${chance}`, '--shutdown-send-retry-after=true', '--shutdown-delay-duration=2s'];

async function ours(): Promise<Subject> {
  const cluster = await startCluster({ bundled: true, flags: [...flags, '--token-auth-file', writeTokens(folder)] });
  return { name: 'ours', url: cluster.url, pid: cluster.launcher.pid ?? 0, close: () => cluster.close() };
}

async function theirs(): Promise<Subject> {
  const reference = await startReference({ flags });
  return { name: 'reference', url: reference.url, pid: reference.pids[0] ?? 0, close: () => reference.close() };
}

async function observe({ url, pid }: Subject): Promise<Record<string, unknown>> {
  const goaways = (await connectionsForRequests(url, requests, { authorization: `Bearer ${adminToken}` })) - 1;
  return {
    'GOAWAY as often as asked for': goaways > fewest && goaways < most ? true : goaways,
    'connections of 20 requests without identity': await connectionsForRequests(url, 20, {}),
    'connections of 20 requests with a wrong token': await connectionsForRequests(url, 20, {
      authorization: 'Bearer wrong',
    }),
    'an end during a request': await endDuringRequest(url, adminToken, pid),
  };
}

const seen = [];
for (const start of [ours, theirs]) {
  const subject = await start();
  try {
    seen.push(await observe(subject));
  } finally {
    await subject.close();
  }
}
rmSync(folder, { recursive: true, force: true });
const [have = {}, want = {}] = seen;
const report = new Report();
report.answers('connections', new Map(Object.entries(want)), new Map(Object.entries(have)));
process.exitCode = report.finish();
