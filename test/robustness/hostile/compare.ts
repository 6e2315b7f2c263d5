/**
 * `node --import tsx test/robustness/hostile/compare.ts`: the bodies and paths of the hostile suite to this server and
 * to the reference (REFERENCE_BIN); prints where status or reason differ. Ends with 0: it is for reading.
 */
import { startCluster } from '../../cluster.ts';
import { startReference } from '../../reference.ts';
import { adminToken, writeTokens } from '../../tokens.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:https';
import { bodyCases } from './body-cases.ts';
import type { BodyCase } from './body-cases.ts';
import { pathCases } from './path-cases.ts';
import { sendRaw } from './raw-connection.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const [ours, theirs] = await Promise.all([
  startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder)] }),
  startReference(),
]);
let same = 0;
let differing = 0;
try {
  for (const one of bodyCases) tell(one.name, await sendBody(ours.url, one), await sendBody(theirs.url, one));
  for (const path of pathCases) {
    const line = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    tell(path.slice(0, 100), firstWords(await sendRaw(ours.url, line)), firstWords(await sendRaw(theirs.url, line)));
  }
} finally {
  await Promise.all([ours.close(), theirs.close()]);
  rmSync(folder, { recursive: true });
}
process.stdout.write(`${same} answers are the same, ${differing} differ\n`);

function tell(what: string, our: string, their: string): void {
  if (our === their) same++;
  else {
    differing++;
    process.stdout.write(`${what}\n  here:      ${our}\n  reference: ${their}\n`);
  }
}

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
