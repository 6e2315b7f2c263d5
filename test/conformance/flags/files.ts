import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCertificates, ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';

const group = 'apiserver.config.k8s.io';
const texts: Readonly<Record<string, string>> = {
  'tokens.csv': 'secret,anna,1\n',
  'abac.jsonl': '{"apiVersion":"abac.authorization.kubernetes.io/v1beta1","kind":"Policy","spec":{"user":"anna"}}\n',
  'labels.yaml': 'apiserver_request_total,verb: GET,LIST\n',
  'audit-policy.yaml': 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: None\n',
  'admission.yaml': `apiVersion: ${group}/v1\nkind: AdmissionConfiguration\nplugins: []\n`,
  'tracing.yaml': `apiVersion: ${group}/v1\nkind: TracingConfiguration\nendpoint: 127.0.0.1:1\n`,
  'egress.yaml': `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection:
    proxyProtocol: Direct
`,
  'authentication.yaml': `apiVersion: ${group}/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://127.0.0.1:1
    audiences: [a]
  claimMappings:
    username:
      claim: sub
      prefix: ''
`,
  'authorization.yaml': `apiVersion: ${group}/v1
kind: AuthorizationConfiguration
authorizers:
- type: RBAC
  name: rbac
`,
  'kubeconfig.yaml': `apiVersion: v1
kind: Config
current-context: a
contexts:
- name: a
  context: {cluster: a, user: a}
clusters:
- name: a
  cluster: {server: 'https://127.0.0.1:1', certificate-authority: ca.pem}
users:
- name: a
  user: {client-certificate: cert.pem, client-key: key.pem}
`,
};

/** Writes the files that the cases name to a folder. */
export async function writeFiles(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const pki = pkiPaths(join(folder, 'pki'));
  await ensureServiceAccountKeys(pki);
  ensureCertificates(pki, ['127.0.0.1']);
  const copies = {
    'ca.pem': pki.caCert,
    'cert.pem': pki.adminCert,
    'key.pem': pki.adminKey,
    'sa.pub': pki.serviceAccountPublicKey,
    'sa.key': pki.serviceAccountKey,
  };
  for (const [name, from] of Object.entries(copies)) copyFileSync(from, join(folder, name));
}
