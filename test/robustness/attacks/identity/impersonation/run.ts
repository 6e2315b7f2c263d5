// Impersonation with the gate ConstrainedImpersonation on and off, beside the reference.
//   REFERENCE_BIN=FOLDER node --import tsx test/robustness/attacks/identity/impersonation/run.ts
import { stringAt } from '#shared/apimachinery/object.ts';
import { sendJson, serverAt } from '#test/compare/exchange.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { bobToken } from '#test/tokens.ts';

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

const configMaps = '/api/v1/namespaces/default/configmaps';

/** What bob is told who asks as somebody else, by the headers that say so. */
async function askAll({ url, server }: Side): Promise<Map<string, string>> {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const apiGroup = 'rbac.authorization.k8s.io';
  const metadata = { name: 'attack' };
  await sendJson(server, 'POST', `/apis/${apiVersion}/clusterroles`, {
    apiVersion,
    kind: 'ClusterRole',
    metadata,
    rules,
  });
  await sendJson(server, 'POST', `/apis/${apiVersion}/clusterrolebindings`, {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'attack' },
    subjects: [{ kind: 'User', apiGroup, name: 'bob' }],
  });
  const bob = serverAt(url, bobToken);
  const list = (headers: Readonly<Record<string, string>>) => sendJson(bob, 'GET', configMaps, undefined, headers);
  // The binding counts once zoe is somebody else than bob in the refusal.
  for (let tries = 0; tries < 100; tries++) {
    if (stringAt((await list({ 'impersonate-user': 'zoe' })).body, 'message').includes('User "zoe"')) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const answers = new Map<string, string>();
  for (const headers of wanted) {
    const { status, body } = await list(headers);
    answers.set(JSON.stringify(headers), `${status} ${stringAt(body, 'message')}`);
  }
  return answers;
}

async function askAndEnd(side: Side): Promise<Map<string, string>> {
  try {
    return await askAll(side);
  } finally {
    await side.close();
  }
}

const report = new Report();
for (const gate of ['true', 'false']) {
  const flags = ['--feature-gates', `ConstrainedImpersonation=${gate}`];
  const there = await askAndEnd(await startTheirs(flags));
  report.answers(`ConstrainedImpersonation=${gate}`, there, await askAndEnd(await startOurs({ flags })));
}
process.exitCode = report.finish();
