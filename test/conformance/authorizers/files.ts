import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SideName } from './reviewer.ts';

/** The files of one of the two servers; its webhooks are below a path of its own. */
export class Files {
  readonly configuration: string;
  readonly policies: string;
  readonly #folder: string;
  readonly #server: string;
  readonly #caFile: string;

  constructor(folder: string, side: SideName, reviewer: string, caFile: string) {
    this.#folder = folder;
    this.#server = `${reviewer}/${side}`;
    this.#caFile = caFile;
    this.configuration = join(folder, 'authorization.yaml');
    this.policies = join(folder, 'policies.jsonl');
  }

  /** Writes the kubeconfig of a webhook; returns its path. */
  kubeconfig(name: string): string {
    const path = join(this.#folder, `${name}.kubeconfig`);
    writeFileSync(
      path,
      `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "${this.#server}/${name}", certificate-authority: "${this.#caFile}"}}]
users: [{name: u, user: {token: secret}}]
`,
    );
    return path;
  }

  writePolicies(text: string): void {
    writeFileSync(this.policies, text);
  }

  /** Writes the AuthorizationConfiguration. `KUBECONFIG(name)` in it stands for the path of that kubeconfig. */
  configure(text: string): void {
    // At once: kube-apiserver also counts what it reads between a truncation and the text.
    const next = `${this.configuration}.new`;
    writeFileSync(
      next,
      text.replaceAll(/KUBECONFIG\((\w+)\)/g, (_, name: string) => this.kubeconfig(name)),
    );
    renameSync(next, this.configuration);
  }
}

interface Webhook {
  readonly name: string;
  readonly version: 'v1' | 'v1beta1';
  readonly failurePolicy: 'Deny' | 'NoOpinion';
  readonly conditions: readonly string[];
  readonly more?: string;
}

function webhook({ name, version, failurePolicy, conditions, more = '' }: Webhook): string {
  return `- type: Webhook
  name: ${name}.example.com
  webhook:
    timeout: 1500ms
    subjectAccessReviewVersion: ${version}
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: ${failurePolicy}
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: KUBECONFIG(${name})}
    matchConditions: ${JSON.stringify(conditions.map((expression) => ({ expression })))}${more}
`;
}

const rbac = '- {type: RBAC, name: rbac}\n';

export function configuration(authorizers: string, version = 'v1'): string {
  return `apiVersion: apiserver.config.k8s.io/${version}\nkind: AuthorizationConfiguration\nauthorizers:\n${authorizers}`;
}

/** A webhook for one user, after which the request is denied if it fails; one for the others; then roles. */
export function usualConfiguration(excluded: string, version = 'v1'): string {
  return configuration(
    webhook({
      name: 'strict',
      version: 'v1beta1',
      failurePolicy: 'Deny',
      conditions: ["request.user.startsWith('strict')", "request.user != 'strict-fails' || request.extra['no'] == []"],
      more: '\n    authorizedTTL: 1m\n    cacheUnauthorizedRequests: false',
    }) +
      webhook({
        name: 'usual',
        version: 'v1',
        failurePolicy: 'NoOpinion',
        conditions: [
          "request.user != 'condition-fails' && request.user != 'fails-and-skipped' || request.extra['no'] == []",
          `!(request.user in ['${excluded}', 'fails-and-skipped'])`,
          "request.user != 'selecting' || (has(request.resourceAttributes.labelSelector) && request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'a' && r.operator == 'In'))",
        ],
      }) +
      '- {type: Node, name: node}\n' +
      rbac,
    version,
  );
}
