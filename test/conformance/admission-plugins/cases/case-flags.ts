import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokenFile } from '#test/integration/admission/tokens.ts';
import type { Enabled } from './plugin-case.ts';

/** Which plugins the servers of one run of the cases have; `none`: not one. */
export type Run = Enabled | 'none';

export interface CaseFlagsOptions {
  /** Gets the files. */
  readonly folder: string;
  readonly run: Run;
  /** All that there are. */
  readonly plugins: readonly string[];
  /** The webhook of ImagePolicyWebhook, and who signed its certificate. */
  readonly reviewer: string;
  readonly caFile: string;
}

/** The flags of a server of the cases, which are the same for both servers. */
export function caseFlags({ folder, run, plugins, reviewer, caFile }: CaseFlagsOptions): string[] {
  mkdirSync(folder, { recursive: true });
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const kubeconfig = file(
    'kubeconfig',
    `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "${reviewer}", certificate-authority: "${caFile}"}}]
users: [{name: u, user: {token: secret}}]
`,
  );
  const configuration = file(
    'admission.yaml',
    `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: ImagePolicyWebhook
  configuration: {imagePolicy: {kubeConfigFile: "${kubeconfig}", retryBackoff: 1}}
- name: EventRateLimit
  configuration:
    apiVersion: eventratelimit.admission.k8s.io/v1alpha1
    kind: Configuration
    limits:
    - {type: Namespace, qps: 1, burst: 3}
`,
  );
  return [
    `--token-auth-file=${file('tokens.csv', tokenFile)}`,
    `--admission-control-config-file=${configuration}`,
    '--feature-gates=GenericWorkload=true,ClusterTrustBundle=true',
    '--runtime-config=scheduling.k8s.io/v1alpha2=true,certificates.k8s.io/v1beta1/clustertrustbundles=true',
    ...pluginFlags(run, plugins),
  ];
}

function pluginFlags(run: Run, plugins: readonly string[]): string[] {
  const but = (...names: string[]): string => plugins.filter((name) => !names.includes(name)).join(',');
  switch (run) {
    case 'most':
      return [`--enable-admission-plugins=${but('AlwaysDeny', 'NamespaceExists')}`];
    case 'only NamespaceExists':
      return ['--enable-admission-plugins=NamespaceExists', `--disable-admission-plugins=${but('NamespaceExists')}`];
    case 'with AlwaysDeny':
      return ['--enable-admission-plugins=AlwaysDeny'];
    case 'none':
      return [`--disable-admission-plugins=${plugins.join(',')}`];
  }
}
