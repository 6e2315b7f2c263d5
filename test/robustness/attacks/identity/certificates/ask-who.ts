import { connect } from 'node:http2';
import { request } from 'node:https';
import { pemOf, shownUser, type Verdict } from './verdicts.ts';

/** `ended`: without an answer. `unsendable`: OpenSSL, which sends it here, cannot read it. */
export type IdentityAnswer = string;

const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });

/**
 * Who the client is for a server over TLS: its user, `nobody`, `refused` (401), another status, or that the connection
 * {@link IdentityAnswer ended}.
 */
export async function askWho(url: string, verdict: Verdict, protocol: 'h1' | 'h2'): Promise<IdentityAnswer> {
  // What a client sends is its own affair: weak keys and digests, too.
  const tls = {
    rejectUnauthorized: false,
    cert: verdict.sent.map((der) => pemOf(der)).join(''),
    key: pemOf(verdict.key ?? '', 'PRIVATE KEY'),
    ciphers: 'DEFAULT@SECLEVEL=0',
  };
  try {
    const { status, text } = await (protocol === 'h1' ? askHttp1 : askHttp2)(url, tls);
    return identityOf(status, text);
  } catch (error) {
    return error instanceof Error && 'library' in error && !('syscall' in error) && !String(error).includes('alert')
      ? 'unsendable'
      : 'ended';
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function askHttp1(url: string, tls: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(
      new URL(review, url),
      { method: 'POST', agent: false, headers: { 'content-type': 'application/json' }, ...tls },
      (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (more: string) => (text += more))
          .on('error', reject)
          .on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    )
      .on('error', reject)
      .end(body);
  });
}

function askHttp2(url: string, tls: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const session = connect(url, tls).on('error', reject);
    const stream = session.request({ ':method': 'POST', ':path': review, 'content-type': 'application/json' });
    let [status, text] = [0, ''];
    stream
      .setEncoding('utf8')
      .on('response', (headers) => (status = Number(headers[':status'])))
      .on('data', (more: string) => (text += more))
      .on('error', reject)
      .on('close', () => {
        session.close();
        if (status === 0) reject(new Error('the stream ended without an answer'));
        else resolve({ status, text });
      });
    stream.end(body);
  });
}

function identityOf(status: number, text: string): IdentityAnswer {
  if (status === 401) return 'refused';
  if (status !== 201) return String(status);
  const {
    username,
    uid = '',
    groups = [],
  } = (JSON.parse(text) as { status: { userInfo: { username: string; uid?: string; groups?: string[] } } }).status
    .userInfo;
  if (username === 'system:anonymous') return 'nobody';
  return shownUser({ name: username, uid, groups: groups.filter((group) => group !== 'system:authenticated') });
}
