import assert from 'node:assert/strict';
import { join } from 'node:path';
import { applyEventually, eventually, refusal, type Operator, type Site } from './operator.ts';

const configMaps = { any: [{ resources: { kinds: ['ConfigMap'], namespaces: ['guarded'] } }] };

const labelsPath = 'jsonpath={.metadata.labels}';

function policy(name: string, ...rules: readonly object[]): object {
  return { apiVersion: 'kyverno.io/v1', kind: 'ClusterPolicy', metadata: { name }, spec: { background: false, rules } };
}

const validating = policy('owned', {
  name: 'has-owner',
  match: configMaps,
  validate: {
    failureAction: 'Enforce',
    message: 'the label owner is missing',
    pattern: { metadata: { labels: { owner: '?*' } } },
  },
});
const mutating = policy('marked', {
  name: 'add-mark',
  match: configMaps,
  mutate: { patchStrategicMerge: { metadata: { labels: { mark: 'by-{{ request.operation }}' } } } },
});
const generating = policy('closed', {
  name: 'close-namespace',
  match: { any: [{ resources: { kinds: ['Namespace'], names: ['fresh*'] } }] },
  generate: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    name: 'closed',
    namespace: '{{ request.object.metadata.name }}',
    synchronize: true,
    data: { spec: { podSelector: {}, policyTypes: ['Ingress'] } },
  },
});

async function applyPolicy(site: Site, object: object, name: string): Promise<void> {
  await applyEventually(site, object);
  await site.kubectl.must('wait', '--for=condition=Ready', `clusterpolicy/${name}`, '--timeout=60s');
}

/** Policies as objects: its webhooks validate and mutate, its background controller generates. */
export const kyverno: Operator = {
  name: 'kyverno',
  programs: {
    'kyverno-admission-controller': { program: 'kyverno' },
    'kyverno-background-controller': {
      program: 'kyverno-background-controller',
      flags: () => ['--metricsPort=8001', '--controllerRuntimeMetricsAddress=:8081'],
    },
  },

  async install({ kubectl, module }) {
    // Too large for the annotation of a client-side apply.
    await kubectl.must('create', '-f', join(module, 'config', 'install-latest-testing.yaml'));
    await kubectl.must('create', 'namespace', 'guarded');
  },

  steps: {
    'registers its webhooks': async ({ kubectl }) =>
      await eventually(async () => {
        const found = await kubectl.must('get', 'validatingwebhookconfigurations', '-o', 'name');
        return found.includes('kyverno-policy-validating-webhook-cfg') ? found : undefined;
      }),
    'refuses a policy with two rules of one name': async (site) => {
      const rule = { name: 'twice', match: configMaps, validate: { message: 'no', deny: {} } };
      const error = await eventually(async () => {
        const text = await site.kubectl.apply(policy('twice', rule, rule)).then(() => '', String);
        return text.includes('admission webhook') ? text : undefined;
      });
      assert.match(
        error,
        /admission webhook "validate-policy.kyverno.svc" denied the request: .*duplicate rule name/is,
      );
      return error.slice(error.indexOf('admission webhook'));
    },
    'denies what a validating policy forbids': async (site) => {
      await applyPolicy(site, validating, 'owned');
      const error = await eventually(async () => {
        await site.kubectl.run('delete', 'configmap', 'nobodys', '-n', 'guarded', '--ignore-not-found');
        return await refusal(site, 'create', 'configmap', 'nobodys', '-n', 'guarded');
      });
      assert.match(error, /admission webhook "validate.kyverno.svc-fail" denied the request/);
      assert.match(error, /has-owner: 'validation error: the label owner is missing/);
      return error;
    },
    'admits what it allows, changed by a mutating policy': async (site) => {
      await applyPolicy(site, mutating, 'marked');
      return await eventually(async () => {
        await site.kubectl.run('delete', 'configmap', 'ours', '-n', 'guarded', '--ignore-not-found');
        const metadata = { name: 'ours', namespace: 'guarded', labels: { owner: 'us' } };
        await site.kubectl.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata });
        const labels = await site.kubectl.must('get', 'configmap/ours', '-n', 'guarded', '-o', labelsPath);
        return labels.includes('by-CREATE') ? labels : undefined;
      });
    },
    'generates a NetworkPolicy in a new namespace': async (site) => {
      await applyPolicy(site, generating, 'closed');
      await site.kubectl.must('create', 'namespace', 'fresh');
      return await eventually(
        async () => await site.kubectl.must('get', 'networkpolicy', 'closed', '-n', 'fresh', '-o', 'name'),
      );
    },
    'makes the generated NetworkPolicy again when it is deleted': async ({ kubectl }) => {
      const uid = async (): Promise<string> =>
        await kubectl.must('get', 'networkpolicy', 'closed', '-n', 'fresh', '-o', 'jsonpath={.metadata.uid}');
      const before = await uid();
      await kubectl.must('delete', 'networkpolicy', 'closed', '-n', 'fresh');
      return await eventually(async () => {
        const now = await uid();
        return now === before ? undefined : `${before} became ${now}`;
      });
    },
  },
};
