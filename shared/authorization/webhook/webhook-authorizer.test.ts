import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { AuthorizationMetrics } from '#shared/authorization/metrics/authorization-metrics.ts';
import {
  attributesOf,
  recordedTable,
  type RecordedAttributes,
} from '#shared/authorization/testing/recorded-attributes.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import { errorOfAnswer } from '#shared/webhooks/client-answer.ts';
import type { PostOptions } from '#shared/webhooks/kubeconfig/kubeconfig-webhook.ts';
import { askedAccess, type AccessReviewVersion } from './asked-access.ts';
import { AuthorizationConditions } from './match-conditions.ts';
import { WebhookAuthorizer } from './webhook-authorizer.ts';

interface RecordedCall {
  readonly body: string;
  readonly code?: number;
  readonly type?: string;
  readonly answer?: string;
}

interface RecordedAuthorizer {
  readonly number: number;
  readonly version: AccessReviewVersion;
  readonly authorizedTTL: number;
  readonly unauthorizedTTL: number;
  readonly onError: string;
  readonly conditions: readonly string[];
}

interface RecordedQuestion {
  readonly authorizer: RecordedAuthorizer;
  readonly attributes: RecordedAttributes;
  readonly calls: readonly RecordedCall[] | null;
  readonly decision: string;
  readonly reason: string;
  readonly error: string | null;
}

/** Answers as the recorded webhook did, and notes what it is asked. */
class RecordedClient {
  next: readonly RecordedCall[] = [];
  asked: string[] = [];
  error = '';

  post(body: string, { onAttempt }: PostOptions = {}): Promise<CollectedAnswer> {
    let fault: Error | undefined = new Error(this.error);
    let answer: CollectedAnswer | undefined;
    for (const { code = 0, type = '', answer: text = '' } of this.next) {
      this.asked.push(body);
      answer = { status: code, headers: { 'content-type': type }, body: Buffer.from(text) };
      fault = code === 0 ? new Error(this.error) : errorOfAnswer(answer);
      onAttempt?.(code, 0, fault);
    }
    return fault === undefined && answer !== undefined ? Promise.resolve(answer) : Promise.reject(fault);
  }

  close(): void {}
}

function authorizerOf(recorded: RecordedAuthorizer, client: RecordedClient): WebhookAuthorizer {
  const compiler = new AuthorizationConditions(true);
  for (const text of recorded.conditions) assert.equal(atOnce(compiler.compile(text)), undefined);
  return new WebhookAuthorizer({
    name: 'recorded',
    client,
    version: recorded.version,
    times: { authorizedMs: recorded.authorizedTTL, unauthorizedMs: recorded.unauthorizedTTL },
    onFailure: 'noOpinion',
    sendsSelectors: true,
    conditions: recorded.conditions.length === 0 ? undefined : compiler.conditions(recorded.conditions),
    knowsKind: () => false,
    metrics: new AuthorizationMetrics(),
    reportError: () => {},
  });
}

const plain: RecordedAuthorizer = {
  number: 0,
  version: 'v1',
  authorizedTTL: 0,
  unauthorizedTTL: 0,
  onError: 'NoOpinion',
  conditions: [],
};

const nothing: RecordedAttributes = {
  user: null,
  verb: 'get',
  resourceRequest: true,
  apiGroup: '',
  apiVersion: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
};

describe('askedAccess', () => {
  test("asks with the selectors of upstream's tests, where its gate is on", () => {
    for (const { attributes, asked, selectors } of recordedTable<{
      attributes: RecordedAttributes;
      asked: JsonObject;
      selectors: boolean;
    }>('webhook', 'questions')) {
      const question = { ...attributesOf(attributes), resourceRequest: true };
      assert.deepEqual(atOnce(askedAccess(question, selectors)).resourceAttributes, asked, JSON.stringify(attributes));
    }
  });
});

describe('WebhookAuthorizer', () => {
  test("asks, keeps answers and decides as in upstream's tests", async () => {
    const byNumber = Map.groupBy(
      recordedTable<RecordedQuestion>('webhook', 'webhook-calls'),
      ({ authorizer }) => authorizer.number,
    );
    for (const questions of byNumber.values()) {
      const client = new RecordedClient();
      const [first] = questions;
      assert.ok(first);
      const authorizer = authorizerOf(first.authorizer, client);
      for (const { attributes, calls, decision, reason, error } of questions) {
        [client.next, client.asked, client.error] = [calls ?? [], [], error ?? ''];
        const answer = await authorizer.authorize(attributesOf(attributes));
        assert.deepEqual(
          { decision: answer.decision.toLowerCase(), reason: answer.reason, error: answer.error ?? null },
          { decision: decision.toLowerCase(), reason, error },
          JSON.stringify(attributes),
        );
        assert.deepEqual(
          client.asked.map((body) => JSON.parse(body) as unknown),
          (calls ?? []).map(({ body }) => JSON.parse(body) as unknown),
        );
      }
    }
  });

  test('keeps answers to questions that differ anywhere apart', async () => {
    const client = new RecordedClient();
    client.next = [{ body: '', code: 200, type: 'application/json', answer: '{"status":{"allowed":true}}' }];
    const authorizer = authorizerOf({ ...plain, authorizedTTL: 60_000 }, client);
    const nobody = { name: '', uid: '', groups: null, extra: null };
    const users = [
      { ...nobody, name: 'a', groups: ['b', 'c'] },
      { ...nobody, name: 'a', groups: ['b,c'] },
      { ...nobody, name: 'a', groups: ['b","c'] },
      { ...nobody, name: 'a', groups: ['b'], extra: { c: [] } },
      { ...nobody, name: 'a', groups: ['b'], extra: { __proto__: ['c'] } },
      { ...nobody, name: 'a', uid: 'b' },
      { ...nobody, name: 'a","uid":"b' },
      { ...nobody, groups: ['a'] },
    ];
    const places = [
      { namespace: 'a', name: 'b' },
      { namespace: '', name: 'a' },
      { namespace: 'a', subresource: 'b' },
    ];
    const asked = users.flatMap((user) => places.map((place) => ({ ...nothing, ...place, user })));
    for (const attributes of asked) await authorizer.authorize(attributesOf(attributes));
    assert.equal(new Set(client.asked).size, asked.length);
    client.asked = [];
    for (const attributes of asked) assert.ok(!(authorizer.authorize(attributesOf(attributes)) instanceof Promise));
    assert.deepEqual(client.asked, []);
  });

  test('asks again once the time of an answer is over', async () => {
    const client = new RecordedClient();
    client.next = [{ body: '', code: 200, type: 'application/json', answer: '{"status":{"allowed":true}}' }];
    const authorizer = authorizerOf({ ...plain, authorizedTTL: 1 }, client);
    await authorizer.authorize(attributesOf(nothing));
    for (const over = performance.now() + 2; performance.now() < over;);
    await authorizer.authorize(attributesOf(nothing));
    assert.equal(client.asked.length, 2);
  });

  test('lists no rules, and says so', () => {
    const authorizer = authorizerOf(plain, new RecordedClient());
    const { incomplete, evaluationError } = authorizer.rulesFor();
    assert.deepEqual([incomplete, evaluationError], [true, 'webhook authorizer does not support user rule resolution']);
  });
});
