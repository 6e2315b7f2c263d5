// Compares the log lines of requests, and what sets levels at run time, with those of the reference:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/logs/run.ts [PART …]
// Needs the bundles of dist (or QUARTERDECK_DIST) and etcd. Parts: text, json, impersonation, impersonation-json,
// levels, slow, slow-json, slow-whole.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startPair, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { adminToken } from '#test/tokens.ts';
import { impersonationLine, requestLine } from './request-lines.ts';
import { levels, requests, type SentRequest } from './requests.ts';
import { slowDown, slowRequests } from './slow-requests.ts';
import { comparable, slowWorkLines } from './slow-work.ts';

const agent = new Agent({ connect: { rejectUnauthorized: false } });
const report = new Report();
const chosen = new Set(process.argv.slice(2));
/** Lines come when the answer has been read. */
const patienceMs = 10_000;

async function send({ url }: Side, sent: SentRequest, auditId: string): Promise<string> {
  const { method, path, body, type = 'application/json', token = adminToken, headers } = sent;
  const answer = await request(url + path, {
    method,
    dispatcher: agent,
    headers: {
      'user-agent': 'conformance/1 "quoted"',
      'audit-id': auditId,
      ...headers,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    body: body ?? null,
  });
  if (!path.includes('watch=')) return `${answer.statusCode} ${await answer.body.text()}`;
  await answer.body.dump({ limit: 0 }).catch(() => undefined);
  return String(answer.statusCode);
}

/** Waits for what a server logs of a request. */
async function logged<Told>(
  side: Side,
  auditId: string,
  find: (output: string, auditId: string) => Told | undefined,
): Promise<Told> {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await pause(50)) {
    const told = find(side.output(), auditId);
    if (told !== undefined) return told;
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
          return JSON.stringify(await logged(side, auditId, requestLine));
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

/** Requests that are slow by their webhooks, at a level of the log. */
async function compareSlow(part: string, flags: readonly string[], isWhole = false): Promise<void> {
  if (chosen.size > 0 && !chosen.has(part)) return;
  const pair = await startPair({ flags });
  const sides = [pair.ours, pair.theirs];
  const webhooks = await Promise.all(sides.map(slowDown));
  try {
    for (const [at, sent] of slowRequests.entries()) {
      const auditId = `slow-${at}`;
      const both = await Promise.all(
        sides.map(async (side) => {
          await send(side, sent, auditId);
          return await logged(side, auditId, slowWorkLines);
        }),
      );
      // On a busy machine fast steps take their share, too.
      const [ours = [], theirs = []] = both.map((lines) =>
        comparable(sent.method, lines).filter((line) => isWhole || !/ ~0ms/.test(line)),
      );
      const differences = [
        ...ours.filter((line) => !theirs.includes(line)).map((line) => `ours   ${line}`),
        ...theirs.filter((line) => !ours.includes(line)).map((line) => `theirs ${line}`),
        ...(ours.length === theirs.length ? [] : [`${ours.length} lines here, ${theirs.length} there`]),
      ];
      report.note(part, `${sent.method} ${sent.path} ${sent.type ?? ''}`, differences);
    }
  } finally {
    for (const webhook of webhooks) webhook.close();
    await pair.close();
  }
}

/** What is said without a request's line of who acts as whom. */
async function compareImpersonation(part: string, flags: readonly string[]): Promise<void> {
  if (chosen.size > 0 && !chosen.has(part)) return;
  const pair = await startPair({ flags: ['-v=2', ...flags] });
  try {
    for (const name of ['jane', 'system:admin', 'a "quoted" name']) {
      const sent = { method: 'GET', path: '/version', headers: { 'impersonate-user': name, 'impersonate-group': 'g' } };
      const [ours, theirs] = await Promise.all(
        [pair.ours, pair.theirs].map(async (side) => {
          await send(side, sent, 'impersonates');
          return await logged(side, name, impersonationLine);
        }),
      );
      report.equal(part, name, theirs, ours);
    }
  } finally {
    await pair.close();
  }
}

await compareLines('text', []);
await compareImpersonation('impersonation', []);
await compareImpersonation('impersonation-json', ['--logging-format=json']);
await compareLines('json', ['--logging-format=json']);
await compareLevels();
await compareSlow('slow', ['-v=2']);
await compareSlow('slow-json', ['-v=2', '--logging-format=json']);
await compareSlow('slow-whole', ['-v=4'], true);
await agent.close();
report.finish();
