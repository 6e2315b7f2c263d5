// Impersonation with the gate ConstrainedImpersonation on and off, beside the reference.
//   REFERENCE_BIN=FOLDER node --import tsx test/robustness/attacks/identity/impersonation/run.ts
import { request } from 'node:https';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../../../../cluster.ts';
import { startReference } from '../../../../reference.ts';
import { adminToken, bobToken, writeTokens } from '../../../../tokens.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

function send(
  url: string,
  method: string,
  path: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  object?: unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(
      new URL(path, url),
      {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        rejectUnauthorized: false,
      },
      (answer) => {
        let body = '';
        answer
          .setEncoding('utf8')
          .on('data', (more: string) => (body += more))
          .on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
      },
    )
      .on('error', reject)
      .end(object === undefined ? undefined : JSON.stringify(object));
  });
}

const wanted: readonly Readonly<Record<string, string>>[] = [
  { 'impersonate-user': 'alice' },
  { 'impersonate-user': 'alice', 'impersonate-group': 'dev' },
  { 'impersonate-user': 'system:node:n1' },
  { 'impersonate-user': 'system:serviceaccount:default:default' },
  { 'impersonate-user': 'zoe' },
  { 'impersonate-user': 'alice', 'impersonate-uid': 'u' },
  { 'impersonate-user': 'alice', 'impersonate-extra-a': 'b' },
];
/** The rights of bob: by the constrained verbs to be anybody who lists, by the old one to be zoe. */
const rules = [
  {
    apiGroups: ['authentication.k8s.io'],
    resources: ['users', 'groups', 'nodes', 'serviceaccounts'],
    verbs: ['impersonate:user-info', 'impersonate:arbitrary-node', 'impersonate:serviceaccount'],
  },
  {
    apiGroups: [''],
    resources: ['configmaps'],
    verbs: [
      'impersonate-on:user-info:list',
      'impersonate-on:arbitrary-node:list',
      'impersonate-on:serviceaccount:list',
    ],
  },
  { apiGroups: [''], resources: ['users'], resourceNames: ['zoe'], verbs: ['impersonate'] },
];

async function askAll(url: string): Promise<string[]> {
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await send(
    url,
    'POST',
    `${rbac}/clusterroles`,
    adminToken,
    {},
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'attack' }, rules },
  );
  await send(
    url,
    'POST',
    `${rbac}/clusterrolebindings`,
    adminToken,
    {},
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'attack' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'attack' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' }],
    },
  );
  const zoe = { 'impersonate-user': 'zoe' };
  // The binding counts once zoe is somebody else than bob in the refusal.
  for (let tries = 0; tries < 100; tries++) {
    if (
      (await send(url, 'GET', '/api/v1/namespaces/default/configmaps', bobToken, zoe)).body.includes('User \\"zoe\\"')
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const told: string[] = [];
  for (const headers of wanted) {
    const { status, body } = await send(url, 'GET', '/api/v1/namespaces/default/configmaps', bobToken, headers);
    told.push(`${JSON.stringify(headers)} ${status} ${(JSON.parse(body) as { message?: string }).message ?? ''}`);
  }
  return told;
}

let wrong = 0;
for (const gate of ['true', 'false']) {
  const flags = ['--feature-gates', `ConstrainedImpersonation=${gate}`];
  const reference = await startReference({ flags });
  const there = await askAll(reference.url);
  await reference.close();
  const folder = mkdtempSync(join(tmpdir(), 'attack-impersonation-'));
  const ours = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder), ...flags] });
  const here = await askAll(ours.url);
  await ours.close();
  rmSync(folder, { recursive: true });
  for (const [index, answer] of there.entries()) {
    if (here[index] === answer) continue;
    wrong++;
    process.stdout.write(`gate ${gate}\n  here  ${here[index]}\n  there ${answer}\n`);
  }
  process.stdout.write(`ConstrainedImpersonation=${gate}: ${there.length} requests, ${wrong} differ\n`);
}
process.exitCode = wrong === 0 ? 0 : 1;
