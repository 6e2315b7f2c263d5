// Compares the log lines of requests, and what sets levels at run time, with those of the reference:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/logs/run.ts [PART …]
// Needs the bundles of dist (or QUARTERDECK_DIST) and etcd. Parts: text, json, levels.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startPair, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { adminToken } from '#test/tokens.ts';
import { requestLine, type LoggedRequest } from './request-lines.ts';
import { levels, requests, type SentRequest } from './requests.ts';

const agent = new Agent({ connect: { rejectUnauthorized: false } });
const report = new Report();
const chosen = new Set(process.argv.slice(2));
/** Lines come when the answer has been read. */
const patienceMs = 10_000;

async function send({ url }: Side, sent: SentRequest, auditId: string): Promise<string> {
  const { method, path, body, type = 'application/json', token = adminToken } = sent;
  const answer = await request(url + path, {
    method,
    dispatcher: agent,
    headers: {
      'user-agent': 'conformance/1 "quoted"',
      'audit-id': auditId,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    body: body ?? null,
  });
  if (!path.includes('watch=')) return `${answer.statusCode} ${await answer.body.text()}`;
  await answer.body.dump({ limit: 0 }).catch(() => undefined);
  return String(answer.statusCode);
}

/** Waits for the line of a request. */
async function lineOf(side: Side, auditId: string): Promise<LoggedRequest> {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await pause(50)) {
    const line = requestLine(side.output(), auditId);
    if (line !== undefined) return line;
  }
  throw new Error(`${side.url} logged no line of ${auditId}`);
}

async function compareLines(part: string, flags: readonly string[]): Promise<void> {
  if (chosen.size > 0 && !chosen.has(part)) return;
  const pair = await startPair({ flags: ['-v=3', ...flags] });
  try {
    for (const [at, sent] of requests.entries()) {
      const auditId = `request-${at}`;
      const lines = await Promise.all(
        [pair.ours, pair.theirs].map(async (side) => {
          await send(side, sent, auditId);
          return JSON.stringify(await lineOf(side, auditId));
        }),
      );
      const [ours, theirs] = lines;
      const differences = ours === theirs ? [] : [`ours ${ours}`, `theirs ${theirs}`];
      report.note(part, `${sent.method} ${sent.path}`, differences);
    }
  } finally {
    await pair.close();
  }
}

async function compareLevels(): Promise<void> {
  if (chosen.size > 0 && !chosen.has('levels')) return;
  const pair = await startPair({ flags: [] });
  try {
    for (const sent of levels) {
      const [ours, theirs] = await Promise.all([pair.ours, pair.theirs].map((side) => send(side, sent, 'level')));
      const differences = ours === theirs ? [] : [`ours ${ours}`, `theirs ${theirs}`];
      report.note('levels', `${sent.method} ${sent.path} ${sent.body ?? ''}`, differences);
    }
  } finally {
    await pair.close();
  }
}

await compareLines('text', []);
await compareLines('json', ['--logging-format=json']);
await compareLevels();
await agent.close();
report.finish();
