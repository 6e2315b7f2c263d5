// Service-account tokens of all shapes, asked of the reference and of this server over both protocols.
//   REFERENCE_BIN=FOLDER node --import tsx test/robustness/attacks/identity/tokens/run.ts [--record]
// `--record` writes what the reference says to gen/tokens.json and gen/secret-tokens.json.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { startOurs, startTheirs } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { adminToken } from '#test/tokens.ts';
import { accountUid, askToken, type TokenAnswer } from './ask.ts';
import { tokenCases } from './cases.ts';
import { askExpiry } from './expiry.ts';
import { askSecretTokens } from './secret-tokens.ts';
import { askWebSockets } from './websockets.ts';

const issuer = 'https://kubernetes.default.svc.cluster.local';
const recording = process.argv.includes('--record');
const folder = mkdtempSync(join(tmpdir(), 'attack-tokens-'));
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const keyFiles = [p256, p384].map((key, index) => {
  const path = join(folder, `key-${index}.pem`);
  writeFileSync(path, createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  return path;
});
const flags = [
  '--service-account-max-token-expiration',
  '1h30m',
  ...keyFiles.flatMap((path) => ['--service-account-key-file', path]),
];

/** Asks one server everything; the answers by the names of the cases. */
async function askAll(url: string, saKey: string, protocol: 'h1' | 'h2'): Promise<Map<string, TokenAnswer>> {
  const uid = await accountUid(url);
  const making = {
    rsa: createPrivateKey(readFileSync(saKey)),
    p256,
    p384,
    stranger,
    issuer,
    uid,
    nowSeconds: Math.floor(Date.now() / 1000),
  };
  const answers = new Map<string, TokenAnswer>();
  for (const { name, token } of tokenCases(making)) answers.set(name, await askToken(url, token, protocol, uid));
  return answers;
}

async function askOthers(url: string): Promise<Map<string, string>> {
  await accountUid(url);
  return new Map([...(await askWebSockets(url, adminToken)), ...(await askExpiry(url))]);
}

function record(name: string, answers: ReadonlyMap<string, unknown>): void {
  const lines = [...answers].map(([what, answer]) => `${JSON.stringify(what)}: ${JSON.stringify(answer)}`);
  writeFileSync(new URL(`gen/${name}.json`, import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
}

const report = new Report();
try {
  const reference = await startTheirs(flags);
  let there: Map<string, TokenAnswer>;
  let othersThere: Map<string, string>;
  let secretsThere: Map<string, JsonObject>;
  try {
    othersThere = await askOthers(reference.url);
    secretsThere = await askSecretTokens(reference.url, readFileSync(join(reference.pki, 'sa.key'), 'utf8'));
    there = await askAll(reference.url, join(reference.pki, 'sa.key'), 'h1');
  } finally {
    await reference.close();
  }
  if (recording) {
    record('tokens', there);
    record('secret-tokens', secretsThere);
  }
  const dataDir = join(folder, 'data');
  // Where keys are named, its own is not among them by itself.
  const ours = await startOurs({
    dataDir,
    flags: ['--service-account-key-file', join(dataDir, 'pki', 'sa.pub'), ...flags],
  });
  try {
    report.answers('WebSockets and expirations', othersThere, await askOthers(ours.url));
    const saKey = readFileSync(join(ours.pki, 'sa.key'), 'utf8');
    report.answers('tokens of secrets', secretsThere, await askSecretTokens(ours.url, saKey));
    for (const protocol of ['h1', 'h2'] as const)
      report.answers(`tokens over ${protocol}`, there, await askAll(ours.url, join(ours.pki, 'sa.key'), protocol));
  } finally {
    await ours.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report.finish();
