import { request } from 'node:https';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { adminToken } from '#test/tokens.ts';

export interface ClientCertificate {
  /** With the intermediates that are sent along. */
  readonly cert: string;
  readonly key: string;
}

/** What a client shows; each part may be missing. */
export interface Credential {
  readonly name: string;
  readonly certificate?: ClientCertificate;
  /** Names and values, in the order in which they are sent. */
  readonly headers?: readonly (readonly [string, string])[];
  /** Sent as a bearer token, and asked of in TokenReviews. */
  readonly token?: string;
  /** What is read instead of the identity. */
  readonly path?: string;
}

/** What a server makes of a {@link Credential}. */
export interface CredentialAnswer {
  /** 0 where the connection ended without an answer, -1 where the credential cannot be sent. */
  readonly status: number;
  readonly headers: JsonObject;
  /** The user of a SelfSubjectReview, or the message of an error. */
  readonly told: JsonValue;
  /** The status of TokenReviews, by the audiences that were asked for. */
  readonly reviews: JsonObject;
}

const group = '/apis/authentication.k8s.io/v1';
/** Headers by which a client decides what to do next. */
const comparedHeaders = ['www-authenticate', 'warning', 'upgrade', 'retry-after', 'location'];
const askedAudiences: readonly (readonly string[])[] = [[], ['kubernetes'], ['elsewhere'], ['kubernetes', 'elsewhere']];

export async function askCredential(url: string, credential: Credential): Promise<CredentialAnswer> {
  const reviews: Record<string, JsonValue> = {};
  if (credential.token !== undefined)
    for (const audiences of askedAudiences)
      reviews[audiences.join(' and ')] = await reviewToken(url, credential.token, audiences);
  const { token, headers = [], path } = credential;
  if (token !== undefined && !/^[!-~]{1,60000}$/.test(token)) return { status: -1, headers: {}, told: null, reviews };
  const all = token === undefined ? headers : [['Authorization', `Bearer ${token}`] as const, ...headers];
  const sent = await send(url, { ...credential, headers: all }, path ?? `${group}/selfsubjectreviews`);
  return { ...sent, reviews };
}

async function reviewToken(url: string, token: string, audiences: readonly string[]): Promise<JsonValue> {
  const headers = [['Authorization', `Bearer ${adminToken}`]] as const;
  const review = {
    kind: 'TokenReview',
    spec: { token, ...(audiences.length === 0 ? {} : { audiences: [...audiences] }) },
  };
  const { status, told } = await send(url, { headers }, `${group}/tokenreviews`, review);
  return status === 201 ? told : { status, told };
}

type Answer = Pick<CredentialAnswer, 'status' | 'headers' | 'told'>;

function send(
  url: string,
  { certificate, headers = [] }: Pick<Credential, 'certificate' | 'headers'>,
  path: string,
  object: JsonObject = { kind: 'SelfSubjectReview' },
): Promise<Answer> {
  const isReview = path.startsWith(group);
  const body = isReview ? JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', ...object }) : '';
  const own = [
    ['Host', new URL(url).host],
    ['Accept', 'application/json'],
    ...(isReview
      ? [['Content-Type', 'application/json'] as const, ['Content-Length', String(Buffer.byteLength(body))] as const]
      : []),
  ] as const;
  return new Promise((resolve) => {
    const end = (): void => resolve({ status: 0, headers: {}, told: null });
    try {
      request(
        new URL(url + path),
        {
          method: isReview ? 'POST' : 'GET',
          agent: false,
          rejectUnauthorized: false,
          headers: [...own, ...headers].flat(),
          // What a client sends is its own affair: weak keys and digests, too.
          ciphers: 'DEFAULT@SECLEVEL=0',
          ...certificate,
        },
        (answer) => {
          let text = '';
          answer
            .setEncoding('utf8')
            .on('data', (more: string) => (text += more))
            .on('error', end)
            .on('end', () => resolve(answerOf(answer.statusCode ?? 0, answer.headers, text)));
        },
      )
        .on('upgrade', (answer, socket) => {
          socket.destroy();
          resolve(answerOf(answer.statusCode ?? 0, answer.headers, ''));
        })
        .on('error', end)
        .end(body);
    } catch {
      resolve({ status: -1, headers: {}, told: null });
    }
  });
}

function answerOf(status: number, headers: Readonly<Record<string, unknown>>, text: string): Answer {
  const compared = comparedHeaders.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  );
  return { status, headers: Object.fromEntries(compared) as JsonObject, told: toldBy(text) };
}

function toldBy(text: string): JsonValue {
  try {
    const body = JSON.parse(text) as JsonValue;
    if (!isObject(body)) return body;
    const { kind, status, message } = body;
    if (kind === 'SelfSubjectReview' && isObject(status)) return status['userInfo'] ?? null;
    return kind === 'TokenReview' ? (status ?? null) : (message ?? null);
  } catch {
    return text;
  }
}
