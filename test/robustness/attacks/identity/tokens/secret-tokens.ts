import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { sendJson, serverAt, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { adminToken } from '#test/tokens.ts';

const core = '/api/v1/namespaces/default';
const day = /\d{4}-\d\d-\d\d/g;

/** What a server answers to tokens of secrets, and what it notes on these: by what was asked. */
export async function askSecretTokens(url: string, key: string): Promise<Map<string, JsonObject>> {
  const answers = new Map<string, JsonObject>();
  const admin = serverAt(url, adminToken);
  const note = (what: string, exchange: Exchange): void => {
    const form = normalForm(exchange, false);
    answers.set(what, JSON.parse(JSON.stringify(form).replaceAll(day, '<day>')) as JsonObject);
  };
  for (const name of ['manual', 'generated', 'marked', 'labelled', 'reviewed']) {
    const token = await secretToken(admin, name, createPrivateKey(key));
    const secret = `${core}/secrets/${name}`;
    if (name === 'reviewed')
      note(
        `${name}: review`,
        await sendJson(admin, 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', reviewOf(token)),
      );
    const user = serverAt(url, token);
    for (const turn of ['first', 'again']) note(`${name}: ${turn}`, await sendJson(user, 'GET', `${core}/configmaps`));
    note(
      `${name}: review`,
      await sendJson(admin, 'POST', '/apis/authentication.k8s.io/v1/tokenreviews', reviewOf(token)),
    );
    const { body, ...rest } = await sendJson(admin, 'GET', secret);
    // Each server signs with a key of its own.
    note(`${name}: secret`, { ...rest, body: { ...(body as JsonObject), data: null } });
  }
  return answers;
}

function reviewOf(token: string): JsonValue {
  return { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
}

/** Makes a service account, and a secret with a token of it, as users and the token controller make them. */
async function secretToken(admin: Server, name: string, key: KeyObject): Promise<string> {
  const account = await sendJson(admin, 'POST', `${core}/serviceaccounts?fieldManager=m`, {
    metadata: { name },
    ...(name === 'generated' ? { secrets: [{ name }] } : {}),
  });
  const uid = stringAt(account.body, 'metadata', 'uid');
  const prefix = 'kubernetes.io/serviceaccount';
  const token = signed(key, {
    iss: prefix.replace('.io', ''),
    [`${prefix}/namespace`]: 'default',
    [`${prefix}/secret.name`]: name,
    [`${prefix}/service-account.name`]: name,
    [`${prefix}/service-account.uid`]: uid,
    sub: `system:serviceaccount:default:${name}`,
  });
  const labels: Readonly<Record<string, JsonObject>> = {
    marked: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' },
    labelled: { 'kubernetes.io/legacy-token-last-used': '2020-01-01', mine: 'true' },
  };
  const { status } = await sendJson(admin, 'POST', `${core}/secrets?fieldManager=m`, {
    metadata: {
      name,
      annotations: { 'kubernetes.io/service-account.name': name, 'kubernetes.io/service-account.uid': uid },
      ...(labels[name] === undefined ? {} : { labels: labels[name] }),
    },
    type: 'kubernetes.io/service-account-token',
    data: { token: Buffer.from(token).toString('base64') },
  });
  if (status !== 201) throw new Error(`the secret ${name}: ${status}`);
  return token;
}

function signed(key: KeyObject, claims: JsonObject): string {
  const parts = [{ alg: 'RS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = sign('sha256', Buffer.from(parts.join('.')), key).toString('base64url');
  return [...parts, signature].join('.');
}
