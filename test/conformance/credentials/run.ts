// Credentials of every kind, asked of the reference and of this server: who they are for, and how they are refused.
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/credentials/run.ts [--only TEXT]
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { signIn } from '#test/oidc/sign-in.ts';
import { accountUid } from '#test/robustness/attacks/identity/tokens/ask.ts';
import { tokenCases } from '#test/robustness/attacks/identity/tokens/cases.ts';
import { bootstrapCredentials, makeBootstrapSecrets } from './bootstrap-tokens.ts';
import { certificateCases } from './certificates.ts';
import { askCredential, type Credential, type CredentialAnswer } from './credential.ts';
import { explanationOf } from './explained.ts';
import { startIssuers } from './issuers.ts';
import { mixedCredentials } from './mixed-credentials.ts';
import { oidcCredentials } from './oidc-tokens.ts';
import { providerCredentials } from './provider-tokens.ts';
import { allowedNames, requestHeaderCases } from './request-headers.ts';
import { startTokenWebhook, webhookCredentials } from './token-webhook.ts';

const only = process.argv.includes('--only') ? (process.argv.at(-1) ?? '') : '';
const folder = mkdtempSync(join(tmpdir(), 'credentials-'));
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const issuers = await startIssuers();
const webhook = await startTokenWebhook();
const certificates = await certificateCases();
const requestHeaders = await requestHeaderCases(certificates.alice);
const credentials: readonly Credential[] = [
  ...certificates.credentials,
  ...requestHeaders.credentials,
  ...oidcCredentials(issuers),
  ...(await providerCredentials(issuers)),
  ...bootstrapCredentials(),
  ...webhookCredentials(),
  ...mixedCredentials(certificates.alice, await signIn(issuers.provider, 'alice', 'kubernetes', ['openid', 'groups'])),
];
const { rsa, p256, p384 } = issuers.keys;
const flags = [
  '--client-ca-file',
  file('clients.crt', certificates.authorities),
  '--requestheader-client-ca-file',
  file('proxies.crt', requestHeaders.authority),
  `--requestheader-allowed-names=${allowedNames.join(',')}`,
  '--requestheader-uid-headers=X-Remote-Uid',
  '--api-audiences=kubernetes,https://kubernetes.default.svc.cluster.local',
  '--enable-bootstrap-token-auth',
  `--authentication-config=${file('authentication.json', JSON.stringify(issuers.configuration))}`,
  `--authentication-token-webhook-config-file=${file('webhook.json', webhook.kubeconfig)}`,
  '--authentication-token-webhook-version=v1',
  ...[p256, p384].map((key, index) => {
    const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' });
    return `--service-account-key-file=${file(`key-${index}.pem`, pem)}`;
  }),
];
const headers = (which: string): string[] =>
  ['username-headers=X-#-User', 'group-headers=X-#-Group', 'extra-headers-prefix=X-#-Extra-'].map(
    (flag) => `--requestheader-${flag.replace('#', which)}`,
  );

/** Tokens of service accounts are of keys and accounts that each server has of its own. */
async function accountCredentials({ url, pki }: Side): Promise<Credential[]> {
  const own = createPrivateKey(readFileSync(join(pki, 'sa.key')));
  const uid = await accountUid(url);
  const issuer = 'https://kubernetes.default.svc.cluster.local';
  const nowSeconds = Math.floor(Date.now() / 1000);
  const cases = tokenCases({ rsa: own, p256, p384, stranger: rsa, issuer, uid, nowSeconds });
  return cases.map(({ name, token }) => ({ name: `service account: ${name}`, token }));
}

async function askAll(side: Side): Promise<Map<string, CredentialAnswer>> {
  await makeBootstrapSecrets(side.json);
  const uid = await accountUid(side.url);
  const answers = new Map<string, CredentialAnswer>();
  for (const credential of [...credentials, ...(await accountCredentials(side))]) {
    if (!credential.name.includes(only)) continue;
    const answer = await askCredential(side.url, credential);
    answers.set(credential.name, JSON.parse(JSON.stringify(answer).replaceAll(uid, 'UID')) as CredentialAnswer);
  }
  return answers;
}

async function askAndEnd(side: Side): Promise<Map<string, CredentialAnswer>> {
  try {
    return await askAll(side);
  } finally {
    await side.close();
  }
}

const report = new Report();
try {
  const there = await askAndEnd(await startTheirs([...flags, ...headers('Other')]));
  const dataDir = join(folder, 'data');
  // The reference is started with its own key and the first headers.
  const own = ['--service-account-key-file', join(dataDir, 'pki', 'sa.pub'), ...headers('Remote')];
  const here = await askAndEnd(await startOurs({ dataDir, flags: [...own, ...flags, ...headers('Other')] }));
  for (const [name, answer] of there) {
    const other = here.get(name);
    const isExplained = other !== undefined && explanationOf(name, answer, other) !== undefined;
    report.equal(name.split(':')[0] ?? name, name, answer, other, isExplained);
  }
} finally {
  issuers.close();
  webhook.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report.finish();
