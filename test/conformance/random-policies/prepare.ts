import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { sendJson, type Server } from '#test/compare/exchange.ts';
import { configuration, creation, itemPath } from './configurations.ts';
import { paramKinds, type ParamKind } from './random-params.ts';
import { boundKind, definition } from './targets.ts';

const namespaces = ['fuzz-a', 'fuzz-b'];
/** The reference looks for kinds of parameters twice a minute. */
const limitMs = 90_000;
const pauseMs = 100;

async function create(server: Server, path: string, body: JsonObject): Promise<void> {
  const { status, body: said } = await sendJson(server, 'POST', path, body);
  if (status !== 201 && status !== 409) throw new Error(`${path}: ${JSON.stringify(said)}`);
}

/** What all rounds need: namespaces, kinds and parameters, and a user who may do much. */
export async function prepare(server: Server): Promise<void> {
  for (const [plural, kind, scope] of [
    ['limits', 'Limit', 'Namespaced'],
    [boundKind.plural, boundKind.kind, 'Cluster'],
  ] as const)
    await create(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(plural, kind, scope));
  for (const [at, name] of namespaces.entries()) {
    const metadata = { name, labels: { team: 'ab'[at] ?? '' } };
    await create(server, '/api/v1/namespaces', { metadata });
    await create(server, `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  }
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await create(server, `${rbac}/clusterroles`, {
    metadata: { name: 'alice' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['create', 'get', 'update', 'patch', 'delete'] }],
  });
  await create(server, `${rbac}/clusterrolebindings`, {
    metadata: { name: 'alice' },
    subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }],
    roleRef: { kind: 'ClusterRole', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' },
  });
  for (const kind of paramKinds) await untilUsable(server, kind);
}

/** Parameters of a kind, and no way on before policies find them. */
async function untilUsable(server: Server, { apiVersion, kind, path, body }: ParamKind): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (const namespace of namespaces)
    for (const name of ['one', 'two']) {
      const object = { apiVersion, kind, metadata: { name, labels: { param: name } }, ...body };
      for (;;) {
        const { status } = await sendJson(server, 'POST', path(namespace), object);
        if (status === 201 || status === 409) break;
        if (performance.now() > deadline) throw new Error(`${path(namespace)} is not served`);
        await sleep(pauseMs);
      }
    }
  const word = `usable-${kind.toLowerCase()}-${apiVersion.replace(/\W/g, '-')}`;
  const made = [
    configuration('validatingadmissionpolicies', 'ValidatingAdmissionPolicy', 'v1', word, {
      spec: {
        paramKind: { apiVersion, kind },
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
          objectSelector: { matchLabels: { marker: word } },
        },
        validations: [{ expression: 'params.metadata.name == ""', message: word }],
      },
    }),
    configuration('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', 'v1', word, {
      spec: {
        policyName: word,
        validationActions: ['Warn'],
        paramRef: { name: 'one', parameterNotFoundAction: 'Deny' },
      },
    }),
  ];
  for (const one of made) await create(server, creation(one).path, one.object);
  const probe = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'probe', labels: { marker: word } } };
  for (;;) {
    const { warnings } = await sendJson(server, 'POST', '/api/v1/namespaces/fuzz-a/configmaps?dryRun=All', probe);
    if (warnings.some((warning) => warning.includes(word))) break;
    if (performance.now() > deadline) throw new Error(`no policy finds ${word}`);
    await sleep(pauseMs);
  }
  for (const one of made) await sendJson(server, 'DELETE', itemPath(one));
}
