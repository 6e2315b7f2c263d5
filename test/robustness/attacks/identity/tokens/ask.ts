import { connect } from 'node:http2';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { sendJson, serverAt } from '#test/compare/exchange.ts';
import { adminToken } from '#test/tokens.ts';

/** What a server says of a token: who it is for, or why nobody. */
export interface TokenAnswer {
  /** Of a SelfSubjectReview with it; 0 where no header can hold it. */
  readonly status: number;
  /** Of a TokenReview, as its status has it. */
  readonly review: string;
}

const review = '/apis/authentication.k8s.io/v1/tokenreviews';
const self = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

/** Asks by a review and by a header, over HTTP/1.1 or HTTP/2. `uid`: left out of what is told. */
export async function askToken(url: string, token: string, protocol: 'h1' | 'h2', uid: string): Promise<TokenAnswer> {
  const send = protocol === 'h1' ? sendHttp1 : sendHttp2;
  const answer = await send(url, review, adminToken, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token },
  });
  const status =
    /^[!-~]+$/.test(token) && token.length < 60_000
      ? (await send(url, self, token, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })).status
      : 0;
  return { status, review: shown(answer, uid) };
}

function shown({ status, body }: Sent, uid: string): string {
  if (status !== 201) return String(status);
  const reviewStatus = (JSON.parse(body) as { status?: unknown }).status;
  return JSON.stringify(reviewStatus).replaceAll(uid, 'UID');
}

/** The uid of the service account `default` in `default`, which is made where nobody did. */
export async function accountUid(url: string): Promise<string> {
  const path = '/api/v1/namespaces/default/serviceaccounts';
  await sendHttp1(url, path, adminToken, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
  const { body } = await sendHttp1(url, `${path}/default`, adminToken);
  return (JSON.parse(body) as { metadata: { uid: string } }).metadata.uid;
}

interface Sent {
  readonly status: number;
  readonly body: string;
}

async function sendHttp1(url: string, path: string, token: string, object?: JsonObject): Promise<Sent> {
  const { status, body } = await sendJson(serverAt(url, token), object === undefined ? 'GET' : 'POST', path, object);
  return { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

function sendHttp2(url: string, path: string, token: string, object: unknown): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const session = connect(url, { rejectUnauthorized: false }).on('error', reject);
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    });
    let [status, body] = [0, ''];
    stream
      .setEncoding('utf8')
      .on('response', (headers) => (status = Number(headers[':status'])))
      .on('data', (more: string) => (body += more))
      .on('error', reject)
      .on('end', () => {
        session.close();
        resolve({ status, body });
      });
    stream.end(JSON.stringify(object));
  });
}
