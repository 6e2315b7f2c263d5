import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEventually, eventually, refusal, type Operator, type Site } from './operator.ts';

const rego = `package owners
violation[{"msg": msg}] {
  wanted := input.parameters.label
  not input.review.object.metadata.labels[wanted]
  msg := sprintf("label %v is missing", [wanted])
}`;

/** A template of constraints with a rule in Rego. */
function template(kind: string, name = kind.toLowerCase()): object {
  return {
    apiVersion: 'templates.gatekeeper.sh/v1',
    kind: 'ConstraintTemplate',
    metadata: { name },
    spec: {
      crd: {
        spec: {
          names: { kind },
          validation: {
            openAPIV3Schema: { type: 'object', required: ['label'], properties: { label: { type: 'string' } } },
          },
        },
      },
      targets: [{ target: 'admission.k8s.gatekeeper.sh', rego }],
    },
  };
}

const constraint = {
  apiVersion: 'constraints.gatekeeper.sh/v1beta1',
  kind: 'OwnedObject',
  metadata: { name: 'namespaces-have-owners' },
  spec: {
    match: { kinds: [{ apiGroups: [''], kinds: ['Namespace'] }], excludedNamespaces: ['gatekeeper-system', 'kube-*'] },
    parameters: { label: 'owner' },
  },
};

const labelsPath = 'jsonpath={.metadata.labels}';

async function constraintStatus({ kubectl }: Site): Promise<{
  byPod?: readonly { enforced?: boolean; operations?: readonly string[] }[];
  violations?: readonly { name: string; message: string }[];
}> {
  const text = await kubectl.must('get', 'ownedobject', constraint.metadata.name, '-o', 'json');
  return (JSON.parse(text) as { status?: Awaited<ReturnType<typeof constraintStatus>> }).status ?? {};
}

/** Policies in Rego: a webhook, and an audit of what is there already. */
export const gatekeeper: Operator = {
  name: 'gatekeeper',
  programs: {
    'gatekeeper-controller-manager': {
      program: 'gatekeeper',
      flags: (volume) => [`--cert-dir=${volume('cert')}`],
    },
    'gatekeeper-audit': {
      program: 'gatekeeper',
      flags: (volume) => [
        `--cert-dir=${volume('cert')}`,
        `--api-cache-dir=${volume('tmp-volume')}`,
        '--health-addr=:9091',
        '--prometheus-port=8889',
        '--audit-interval=5',
      ],
      probed: false,
    },
  },

  async install({ kubectl, module }) {
    await kubectl.must('apply', '-f', join(module, 'deploy', 'gatekeeper.yaml'));
  },

  steps: {
    'makes a definition of a ConstraintTemplate': async (site) => {
      await applyEventually(site, template('OwnedObject'));
      return await eventually(
        async () => await site.kubectl.must('get', 'crd', 'ownedobject.constraints.gatekeeper.sh'),
      );
    },
    'refuses a ConstraintTemplate by its webhook': async (site) => {
      const path = join(site.folder, 'broken-template.json');
      writeFileSync(path, JSON.stringify(template('Broken', 'other')));
      const error = await eventually(async () => {
        // While the webhook's server is not there, its configuration lets everything pass.
        await site.kubectl.must('delete', '-f', path, '--ignore-not-found');
        const text = await refusal(site, 'create', '-f', path);
        return text.includes('admission webhook') ? text : undefined;
      });
      assert.match(
        error,
        /admission webhook "validation.gatekeeper.sh" denied the request: .*is not equal to the lowercase of/,
      );
      return error;
    },
    'denies a namespace without the label by a constraint': async (site) => {
      await applyEventually(site, constraint);
      await eventually(async () => {
        const { byPod = [] } = await constraintStatus(site);
        return byPod.some(({ enforced, operations }) => enforced === true && operations?.includes('webhook') === true)
          ? true
          : undefined;
      });
      const error = await refusal(site, 'create', 'namespace', 'nobodys');
      assert.equal(
        error,
        'Error from server (Forbidden): admission webhook "validation.gatekeeper.sh" denied the request: [namespaces-have-owners] label owner is missing',
      );
      return error;
    },
    'admits a namespace with the label': async (site) => {
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ours', labels: { owner: 'us' } } };
      await site.kubectl.apply(namespace);
      return 'created';
    },
    'tells in the status which objects violate the constraint': async (site) =>
      await eventually(async () => {
        const found = (await constraintStatus(site)).violations?.find(({ name }) => name === 'default');
        return found === undefined ? undefined : JSON.stringify(found);
      }),
    'changes objects by an AssignMetadata': async (site) => {
      await applyEventually(site, {
        apiVersion: 'mutations.gatekeeper.sh/v1',
        kind: 'AssignMetadata',
        metadata: { name: 'checked' },
        spec: {
          match: { scope: 'Namespaced', kinds: [{ apiGroups: [''], kinds: ['ConfigMap'] }] },
          location: 'metadata.labels.checked',
          parameters: { assign: { value: 'yes' } },
        },
      });
      return await eventually(async () => {
        await site.kubectl.run('delete', 'configmap', 'changed', '-n', 'ours', '--ignore-not-found');
        await site.kubectl.must('create', 'configmap', 'changed', '-n', 'ours');
        const labels = await site.kubectl.must('get', 'configmap/changed', '-n', 'ours', '-o', labelsPath);
        return labels.includes('checked') ? labels : undefined;
      });
    },
  },
};
