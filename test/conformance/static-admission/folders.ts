import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import { binding, configMaps, mutatingPolicy, policy, webhooks } from './manifests.ts';
import { mainFile } from './starts.ts';

/** What the guard of the names looks at: objects of each server process, and rules of users themselves. */
const guarded = [
  ['', 'configmaps'],
  ['admissionregistration.k8s.io', '*'],
  ['apiextensions.k8s.io', 'customresourcedefinitions'],
  ['apiregistration.k8s.io', 'apiservices'],
  ['example.com', 'widgets'],
  ['authorization.k8s.io', '*'],
].map(([group, resource]) => ({
  apiGroups: [group],
  apiVersions: ['*'],
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  resources: [resource],
}));

/** The folder that both servers read: its file and the manifests that each plugin finds first. */
export class Folders {
  readonly file: string;
  readonly #root: string;

  constructor(root: string, { port, caBundle }: WebhookServer) {
    this.#root = root;
    this.file = join(root, 'admission.yaml');
    const clientConfig = (does: string): object => ({ url: `https://127.0.0.1:${port}/both/${does}`, caBundle });
    this.write(
      'ValidatingAdmissionPolicy',
      'deny.yaml',
      `${policy('deny.static.k8s.io')}\n---\n${binding('Validating', 'deny.static.k8s.io', 'deny.static.k8s.io')}`,
    );
    this.write(
      'ValidatingAdmissionPolicy',
      'guard.yml',
      `${guard}\n---\n${binding('Validating', 'guard.static.k8s.io', 'guard.static.k8s.io')}`,
    );
    this.write(
      'MutatingAdmissionPolicy',
      'order.yaml',
      `${mutatingPolicy('z.static.k8s.io')}\n---\n${binding('Mutating', 'z.static.k8s.io', 'z.static.k8s.io')}`,
    );
    this.write(
      'MutatingAdmissionWebhook',
      'label.yaml',
      webhooks('Mutating', 'z.static.k8s.io', { clientConfig: clientConfig('label') }),
    );
    const denied = [
      { ...configMaps, resources: ['secrets'] },
      { ...configMaps, apiGroups: ['admissionregistration.k8s.io'], resources: ['mutatingwebhookconfigurations'] },
    ];
    this.write(
      'ValidatingAdmissionWebhook',
      'deny.yaml',
      webhooks('Validating', 'deny.static.k8s.io', { clientConfig: clientConfig('deny-status'), rules: denied }),
    );
    const plugins = [
      'ValidatingAdmissionPolicy',
      'MutatingAdmissionPolicy',
      'ValidatingAdmissionWebhook',
      'MutatingAdmissionWebhook',
    ] as const;
    writeFileSync(this.file, mainFile(Object.fromEntries(plugins.map((plugin) => [plugin, join(root, plugin)]))));
  }

  write(plugin: string, name: string, text: string): void {
    mkdirSync(join(this.#root, plugin), { recursive: true });
    // Replaced as a whole: a server that reads half a file finds rules that are right, but not all.
    const unfinished = join(this.#root, `${name}.unfinished`);
    writeFileSync(unfinished, text);
    renameSync(unfinished, join(this.#root, plugin, name));
  }
}

const guard = policy('guard.static.k8s.io', {
  matchConstraints: { resourceRules: guarded },
  validations: [
    {
      expression:
        '[object, oldObject].all(one, one == null || !has(one.metadata.name) || !one.metadata.name.startsWith("guarded"))',
      message: 'guarded',
    },
  ],
});
