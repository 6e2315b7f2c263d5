/**
 * `node --import tsx test/robustness/hostile/compare.ts`: the bodies and paths of the hostile suite to this server and
 * to the reference (REFERENCE_BIN); prints where status or reason differ. Ends with 0: it is for reading.
 */
import { request } from 'node:https';
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { adminToken } from '#test/tokens.ts';
import { bodyCases } from './body-cases.ts';
import type { BodyCase } from './body-cases.ts';
import { pathCases } from './path-cases.ts';
import { sendRaw } from './raw-connection.ts';

const { ours, theirs, close } = await startPair();
const report = new Report();
const askBodies = async (url: string): Promise<Map<string, string>> => {
  const answers = new Map<string, string>();
  for (const one of bodyCases) answers.set(one.name, await sendBody(url, one));
  return answers;
};
const askPaths = async (url: string): Promise<Map<string, string>> => {
  const answers = new Map<string, string>();
  for (const path of pathCases)
    answers.set(
      path.slice(0, 100),
      firstWords(await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)),
    );
  return answers;
};
try {
  report.answers('bodies', await askBodies(theirs.url), await askBodies(ours.url));
  report.answers('paths', await askPaths(theirs.url), await askPaths(ours.url));
} finally {
  await close();
}
report.finish();

function firstWords({ status, text }: { status: number; text: string }): string {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return `${status} ${reasonOf(body)}`;
}

function reasonOf(body: string): string {
  return /"message":"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]?.slice(0, 160) ?? body.trim().slice(0, 60);
}

function sendBody(url: string, { method, path, contentType, body, headers }: BodyCase): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request(
      `${url}${path}?dryRun=All`,
      {
        method,
        rejectUnauthorized: false,
        headers: {
          authorization: `Bearer ${adminToken}`,
          accept: 'application/json',
          'content-type': contentType,
          'content-length': String(Buffer.byteLength(body)),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve(`${answer.statusCode} ${(answer.statusCode ?? 0) < 300 ? '' : reasonOf(text)}`);
          });
      },
    );
    outgoing.on('error', (error) => resolve(error.message)).end(body);
  });
}
