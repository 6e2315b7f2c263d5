import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import { KubeconfigWebhook } from '#shared/webhooks/kubeconfig/kubeconfig-webhook.ts';
import type { TokenReviewVersion } from './token-review.ts';
import { WebhookTokenAuthenticator } from './webhook-token-authenticator.ts';

interface Answer {
  readonly code: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Verdict {
  readonly user?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[] | null>>;
  readonly audiences?: readonly string[];
  readonly error?: string;
}

/** What upstream's authenticator made of answers (test/recorders/operator-tokens). */
interface Recorded {
  readonly version: TokenReviewVersion;
  readonly audiences?: readonly string[];
  /** The last one is repeated. */
  readonly answers: readonly Answer[];
  readonly request: string;
  readonly attempts: number;
  readonly verdict: Verdict;
}

const recorded = JSON.parse(
  readFileSync(new URL('testdata/verdicts.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

const known = new Set(['v1/Pod', 'v1/Status', 'v1/TokenReview', 'v1beta1/TokenReview', 'v1/SelfSubjectReview']);

let server: Server;
let webhook: KubeconfigWebhook;
let answers: readonly Answer[];
let requests: string[];

before(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { code, headers = {}, body = '' } = answers[Math.min(requests.length, answers.length - 1)] ?? { code: 500 };
      const sent = Buffer.concat(chunks).toString().trim();
      requests.push(`${request.method} ${request.url} ${request.headers['content-type']} ${sent}`);
      response.setHeader('content-type', 'application/json');
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.writeHead(code).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target = {
    server: `http://127.0.0.1:${port}/review`,
    isInsecure: false,
    tlsServerName: '',
    user: { headers: {} },
  };
  webhook = new KubeconfigWebhook({ read: () => target, reportError: () => {}, retryMs: 0 });
});

after(() => {
  webhook.close();
  server.closeAllConnections();
  server.close();
});

async function verdictOf({ version, audiences = [] }: Recorded): Promise<Verdict> {
  const authenticator = new WebhookTokenAuthenticator({
    webhook,
    version,
    // Recorded without audiences of the request; a server has some in all requests.
    apiAudiences: audiences.length === 0 ? [] : ['api', 'own'],
    knowsKind: (_group, kindVersion, kind) => known.has(`${kindVersion}/${kind}`),
    reportError: () => {},
  });
  try {
    const answer = await authenticator.authenticateToken('the token', audiences);
    if (answer === undefined) return {};
    const { user, audiences: matching = [] } = answer;
    return {
      user: user.name,
      ...(user.uid !== '' && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: user.groups }),
      ...(Object.keys(user.extra).length > 0 && { extra: user.extra }),
      ...(matching.length > 0 && { audiences: matching.toSorted() }),
    };
  } catch (error) {
    assert.ok(error instanceof AuthenticationError, String(error));
    return { error: error.message };
  }
}

describe('WebhookTokenAuthenticator', () => {
  test('asks and understands as upstream does, in both versions', async () => {
    for (const one of recorded) {
      answers = one.answers;
      requests = [];
      const verdict = await verdictOf(one);
      const shown = JSON.stringify(one);
      if (verdict.error === 'the webhook authenticated a user without a name') {
        assert.deepEqual(one.verdict, {}, shown);
        continue;
      }
      const extra =
        one.verdict.extra &&
        Object.fromEntries(Object.entries(one.verdict.extra).map(([key, values]) => [key, values ?? []]));
      assert.deepEqual(verdict, { ...one.verdict, ...(extra && { extra }) }, shown);
      assert.equal(requests[0], one.request);
      assert.equal(requests.length, one.attempts, shown);
    }
    assert.ok(recorded.length > 100);
  });

  test('ends an answer that is too long', async () => {
    answers = [{ code: 200, body: 'x'.repeat(2 * 1024 * 1024) }];
    requests = [];
    const { error = '' } = await verdictOf({ version: 'v1', answers, request: '', attempts: 1, verdict: {} });
    assert.match(error, /the answer is longer than 1048576 bytes/);
  });
});
