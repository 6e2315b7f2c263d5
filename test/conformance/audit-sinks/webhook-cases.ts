import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerCall } from '#shared/audit/sinks/testing/event-server.ts';
import type { Side } from '#test/compare/pair.ts';
import { create, createSome, errorCounts, policyFor, type Place, type SinkCase } from './sink-case.ts';

const sent =
  (...flags: readonly string[]) =>
  ({ folder }: Place): string[] => [`--audit-webhook-config-file=${join(folder, 'kubeconfig')}`, ...flags];

const unlimited = '--audit-webhook-batch-throttle-enable=false';
const soon = '--audit-webhook-initial-backoff=20ms';

function code(status: number, headers: Record<string, string> = {}): AnswerCall {
  return (response) => response.writeHead(status, headers).end();
}

const cut: AnswerCall = (response) => response.destroy();

/** The ids of calls in the order in which they first came: repeated calls have the same number. */
function callNumbers({ webhook }: Place): number[] {
  const ids: string[] = [];
  return webhook.calls.map(({ ids: own }) => {
    const key = own.join();
    if (!ids.includes(key)) ids.push(key);
    return ids.indexOf(key);
  });
}

/** Answers calls by a list, and further ones with 200. */
function answerBy({ webhook }: Place, answers: readonly AnswerCall[]): void {
  const left = [...answers];
  webhook.answer = (response, call) => (left.shift() ?? code(200))(response, call);
}

/** Resolves when no call has come for a second. */
async function untilQuiet({ webhook }: Place): Promise<void> {
  for (let seen = -1; seen !== webhook.calls.length; await sleep(1000)) seen = webhook.calls.length;
}

/** Objects are made one after the other, each when the calls about the one before are over. */
async function createQuietly(side: Side, place: Place, count: number): Promise<number[]> {
  const codes: number[] = [];
  for (let at = 0; at < count; at++) {
    codes.push(await create(side, `object-${at}`));
    await untilQuiet(place);
  }
  return codes;
}

function retried(name: string, answers: readonly AnswerCall[], objects = 2): SinkCase {
  return {
    name: `calls that are repeated: ${name}`,
    policy: policyFor('Metadata'),
    flags: sent('--audit-webhook-mode=blocking', soon),
    async act(side, place) {
      answerBy(place, answers);
      return [await createQuietly(side, place, objects), await errorCounts(side)];
    },
    written: callNumbers,
  };
}

function five(answer: AnswerCall): AnswerCall[] {
  return Array.from({ length: 5 }, () => answer);
}

export const webhookCases: readonly SinkCase[] = [
  {
    name: 'batches, the last of which is not full at the end',
    policy: policyFor('Metadata'),
    flags: sent(unlimited, '--audit-webhook-batch-max-size=5', '--audit-webhook-batch-max-wait=1h'),
    act: (side) => createSome(side, 12),
    written: ({ webhook }) => webhook.calls.map(({ ids, target, contentType }) => [ids.length, target, contentType]),
  },
  {
    name: 'calls of blocking mode',
    policy: policyFor('Metadata'),
    flags: sent('--audit-webhook-mode=blocking'),
    async act(side, { webhook }) {
      const counts: number[] = [];
      for (let at = 0; at < 5; at++) {
        await create(side, `object-${at}`);
        counts.push(webhook.calls.length);
      }
      return counts;
    },
  },
  retried('several codes, then success', [code(500), code(429), code(403), cut]),
  retried('five times 503', five(code(503))),
  retried('five times cut off', five(cut)),
  retried('redirects to another server', five(code(302, { location: 'http://127.0.0.1:1/' }))),
  retried('codes of success', [code(201), code(204), code(206)], 4),
  retried('what only looks like success', [code(207), code(304)], 2),
  {
    name: 'server that is away',
    policy: policyFor('Metadata'),
    flags: sent('--audit-webhook-mode=blocking', soon),
    async act(side, { webhook }) {
      await webhook.close();
      const codes = await createSome(side, 3);
      // Five attempts take half a second.
      await sleep(2000);
      return [codes, await errorCounts(side)];
    },
  },
  {
    name: 'blocking-strict with a server that refuses, then takes events',
    policy: policyFor('Metadata', { omitStages: [] }),
    flags: sent('--audit-webhook-mode=blocking-strict', soon),
    async act(side, place) {
      answerBy(place, five(code(500)));
      const object = { metadata: { name: 'refused' } };
      const path = '/api/v1/namespaces/default/configmaps';
      return [await side.json.call('POST', path, object), await create(side, 'taken'), await errorCounts(side)];
    },
    written: callNumbers,
  },
  {
    name: 'truncation',
    policy: policyFor('RequestResponse'),
    flags: sent(
      '--audit-webhook-mode=blocking',
      '--audit-webhook-truncate-enabled',
      '--audit-webhook-truncate-max-event-size=3000',
      '--audit-webhook-truncate-max-batch-size=3000',
    ),
    act: async (side) => [await create(side, 'small'), await create(side, 'large', 5000), await errorCounts(side)],
    written: ({ webhook }) =>
      webhook.calls.map(({ body }) => ['requestObject', 'truncated'].filter((text) => body.includes(`"${text}"`))),
  },
];
