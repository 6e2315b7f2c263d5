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

type Answers = Map<string, readonly [CredentialAnswer, CredentialAnswer]>;

/** Asks both servers at once: what a token is worth changes with time. */
async function askBoth(sides: readonly [Side, Side]): Promise<Answers> {
  const asked = await Promise.all(
    sides.map(async (side) => {
      await makeBootstrapSecrets(side.json);
      const own = await accountCredentials(side);
      return { side, uid: await accountUid(side.url), all: [...credentials, ...own] };
    }),
  );
  const names = (asked[0]?.all ?? []).map(({ name }, index) => ({ name, index }));
  const wanted = names.filter(({ name }) => name.includes(only));
  const answers: Answers = new Map();
  // Several at once, since those of unknown keys wait for a second.
  for (let start = 0; start < wanted.length; start += 16)
    await Promise.all(
      wanted.slice(start, start + 16).map(async ({ name, index }) => {
        const both = asked.map(async ({ side, uid, all }) => {
          const answer = await askCredential(side.url, all[index] ?? { name });
          return JSON.parse(JSON.stringify(answer).replaceAll(uid, 'UID')) as CredentialAnswer;
        });
        answers.set(name, (await Promise.all(both)) as [CredentialAnswer, CredentialAnswer]);
      }),
    );
  return answers;
}

const report = new Report();
const sides: Side[] = [];
try {
  const dataDir = join(folder, 'data');
  // The reference is started with its own key and the first headers.
  const own = ['--service-account-key-file', join(dataDir, 'pki', 'sa.pub'), ...headers('Remote')];
  const there = await startTheirs([...flags, ...headers('Other')]);
  sides.push(there);
  const here = await startOurs({ dataDir, flags: [...own, ...flags, ...headers('Other')] });
  sides.push(here);
  for (const [name, [want, have]] of await askBoth([there, here])) {
    const part = name.startsWith('kid') ? 'kid' : (name.split(':')[0] ?? name);
    report.equal(part, name, want, have, explanationOf(name, want, have) !== undefined);
  }
} finally {
  for (const side of sides) await side.close();
  issuers.close();
  webhook.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report.finish();
