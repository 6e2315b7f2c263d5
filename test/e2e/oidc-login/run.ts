// The README's section "Log in with your identity provider", typed as it stands there, with npm's oidc-provider.
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/oidc-login/run.ts [--reference]
// `--reference`: kube-apiserver instead of this server.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { clientId, IdentityProvider } from '#test/oidc/identity-provider.ts';
import { Person, type Printed } from './person.ts';
import { blocksOf, serverCommandOf } from './readme-section.ts';

const withReference = process.argv.includes('--reference');
const idTokenSeconds = 4;
const folder = mkdtempSync(join(tmpdir(), 'oidc-login-'));
const provider = await IdentityProvider.start({
  accounts: {
    dana: { email: 'dana@example.org', email_verified: true, groups: ['developers'] },
    eve: { email: 'eve@example.org', groups: ['guests'] },
    mallory: { email: 'dana@example.org', email_verified: false, groups: ['developers'] },
  },
  idTokenSeconds,
});
const authority = join(folder, 'provider.crt');
writeFileSync(authority, provider.authority.ca);

/** The kubeconfig and the keys of the server are where the README has them. */
async function startServer(flags: readonly string[]): Promise<Side> {
  const side = await (withReference ? startTheirs(flags) : startOurs({ flags }));
  rmSync(join(folder, '.quarterdeck'), { recursive: true, force: true });
  mkdirSync(join(folder, '.quarterdeck'));
  symlinkSync(side.kubeconfig, join(folder, '.quarterdeck', 'kubeconfig'));
  symlinkSync(side.pki, join(folder, '.quarterdeck', 'pki'));
  return side;
}

const blocks = blocksOf('Log in with your identity provider');
const [names = '', withFile = '', binding = '', kubeconfig = '', questions = '', withFlags = ''] = blocks;
const variables = { CLIENT_ID: clientId, ISSUER: provider.url, NODE_EXTRA_CA_CERTS: authority };
const [dana, eve, mallory] = ['dana', 'eve', 'mallory'].map((name) => new Person(name, folder, variables)) as [
  Person,
  Person,
  Person,
];

let server: Side | undefined;
after(async () => {
  await server?.close();
  provider.close();
  rmSync(folder, { recursive: true, force: true });
});

const exported = 'export KUBECONFIG=people.kubeconfig\n';
const whoAmI = async (person: Person): Promise<Printed> => person.types(`${exported}kubectl auth whoami`);
async function done(person: Person, commands: string): Promise<void> {
  const { code, text } = await person.types(commands);
  assert.equal(code, 0, text);
}

/** Asks until the answer is as wanted: a server begins by fetching the provider's keys. */
async function until(ask: () => Promise<Printed>, isWanted: (printed: Printed) => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const printed = await ask();
    if (isWanted(printed)) return;
    if (performance.now() > deadline) assert.fail(printed.text);
    await sleep(200);
  }
}

describe('Log in with your identity provider', () => {
  test('names provider and client, and starts the server with a file', async () => {
    assert.equal(blocks.length, 6);
    assert.deepEqual(names.match(/\b[A-Z_]+(?==)/g), ['ISSUER', 'CLIENT_ID']);
    const { before, flags } = serverCommandOf(withFile) ?? assert.fail(withFile);
    const trusting = before.replace(
      /^( +)url: .*$/m,
      (line, indent: string) =>
        `${line}\n${indent}certificateAuthority: |\n${inset(provider.authority.ca, `${indent}  `)}`,
    );
    await done(dana, trusting);
    server = await startServer(flags.map((flag) => flag.replace(/^authentication/, `${folder}/authentication`)));
    await done(dana, binding);
    await done(dana, kubeconfig.replace('https://127.0.0.1:6443', server.url));
  });

  test('lets a person in after one login, who may what the group may', async () => {
    await until(
      () => whoAmI(dana),
      ({ code }) => code === 0,
    );
    const { text } = await dana.types(`${exported}${questions}`);
    assert.match(text, /^Username +oidc:dana@example\.org$/m);
    assert.match(text, /^Groups +\[oidc:developers system:authenticated\]$/m);
    assert.match(text, /No resources found/);
    assert.match(
      (await dana.types(`${exported}kubectl create namespace x`)).text,
      /"oidc:dana@example\.org" cannot create/,
    );
    assert.equal(dana.logins, 1);
  });

  test('refreshes the token without another login, while the keys rotate', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      const last = dana.token;
      provider.rotate();
      await sleep(idTokenSeconds * 1000);
      const { code, text } = await whoAmI(dana);
      assert.equal(code, 0, text);
      assert.notEqual(dana.token, last);
    }
    assert.equal(dana.logins, 1);
  });

  test('refuses an old token', async () => {
    // For ten seconds the reference takes a token that it has seen.
    const asked = `curl -sk -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${dana.token}' ${server?.url}/api`;
    await until(
      () => dana.types(asked),
      ({ text }) => text === '401',
    );
  });

  test('tells persons apart, and keeps out an email address that is not verified', async () => {
    assert.match((await whoAmI(eve)).text, /^Username +oidc:eve@example\.org$/m);
    assert.match((await eve.types(`${exported}kubectl get pods`)).text, /"oidc:eve@example\.org" cannot list/);
    const refused = await whoAmI(mallory);
    assert.match(refused.text, /Unauthorized|must be logged in/);
    assert.notEqual(refused.code, 0);
  });

  test('follows the file', async () => {
    await done(dana, `sed -i 's/claim: email, prefix: "oidc:"/claim: sub, prefix: "changed:"/' authentication.yaml`);
    await until(
      () => whoAmI(dana),
      ({ text }) => /^Username +changed:dana$/m.test(text),
    );
    assert.match((await whoAmI(mallory)).text, /^Username +changed:mallory$/m);
  });

  test('does the same by flags', async () => {
    await server?.close();
    const { flags } = serverCommandOf(withFlags) ?? assert.fail(withFlags);
    const given = flags.map((flag) => flag.replace('$ISSUER', provider.url).replace('$CLIENT_ID', clientId));
    server = await startServer([...given, '--oidc-ca-file', authority]);
    await done(dana, kubeconfig.replace('https://127.0.0.1:6443', server.url));
    await until(
      () => whoAmI(dana),
      ({ code }) => code === 0,
    );
    assert.match((await whoAmI(dana)).text, /^Username +oidc:dana@example\.org$/m);
    assert.equal(dana.logins, 1);
  });
});

function inset(text: string, indent: string): string {
  return text.trimEnd().replaceAll(/^/gm, indent);
}
