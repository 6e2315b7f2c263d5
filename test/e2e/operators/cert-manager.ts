import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEventually, eventually, refusal, type Operator, type Site } from './operator.ts';

const apiVersion = 'cert-manager.io/v1';
const inDefault = (name: string): { name: string; namespace: string } => ({ name, namespace: 'default' });

const selfSigned = { apiVersion, kind: 'ClusterIssuer', metadata: { name: 'self-signed' }, spec: { selfSigned: {} } };
const authority = {
  apiVersion,
  kind: 'Certificate',
  metadata: inDefault('authority'),
  spec: {
    isCA: true,
    commonName: 'authority',
    secretName: 'authority',
    privateKey: { algorithm: 'ECDSA', size: 256 },
    issuerRef: { name: 'self-signed', kind: 'ClusterIssuer', group: 'cert-manager.io' },
  },
};
const issuer = { apiVersion, kind: 'Issuer', metadata: inDefault('issuer'), spec: { ca: { secretName: 'authority' } } };
const leaf = {
  apiVersion,
  kind: 'Certificate',
  metadata: inDefault('web'),
  spec: {
    dnsNames: ['web.default.svc'],
    secretName: 'web-tls',
    duration: '24h',
    renewBefore: '1h',
    issuerRef: { name: 'issuer' },
  },
};

/** Writes the files of a Secret, and returns the path of one. */
async function secretFile({ kubectl, folder }: Site, secret: string, key: string): Promise<string> {
  const { data } = JSON.parse(await kubectl.must('get', 'secret', secret, '-n', 'default', '-o', 'json')) as {
    data: Readonly<Record<string, string>>;
  };
  const path = join(folder, `${secret}.${key}`);
  writeFileSync(path, Buffer.from(new Map(Object.entries(data)).get(key) ?? '', 'base64'));
  return path;
}

function openssl(...argv: readonly string[]): string {
  return execFileSync('openssl', argv, { encoding: 'utf8' });
}

/** Issues certificates: a controller, a webhook, and one that writes authorities into webhook configurations. */
export const certManager: Operator = {
  name: 'cert-manager',
  programs: {
    'cert-manager': { program: 'cert-manager', command: ['controller'] },
    'cert-manager-webhook': { program: 'cert-manager', command: ['webhook'] },
    'cert-manager-cainjector': { program: 'cert-manager', command: ['cainjector'] },
  },

  async install({ helm, module }) {
    const chart = join(module, 'deploy', 'charts', 'cert-manager');
    // The check of the API at start is a Job that needs its image.
    const settings = 'crds.enabled=true,startupapicheck.enabled=false';
    const flags = ['--namespace', 'cert-manager', '--create-namespace', '--set', settings];
    await helm('install', 'cert-manager', chart, ...flags);
  },

  steps: {
    'its cainjector completes the configurations of its webhook': async ({ kubectl }) =>
      await eventually(async () => {
        const path = 'jsonpath={.items[*].webhooks[*].clientConfig.caBundle}';
        const found = await kubectl.must(
          'get',
          'validatingwebhookconfigurations,mutatingwebhookconfigurations',
          '-o',
          path,
        );
        return found.split(' ').length === 2 ? `${found.length} characters` : undefined;
      }),
    'a ClusterIssuer that signs with the key itself becomes ready': async (site) => {
      await applyEventually(site, selfSigned);
      return await site.kubectl.must('wait', '--for=condition=Ready', 'clusterissuer/self-signed', '--timeout=60s');
    },
    'a Certificate gets its Secret, which openssl verifies': async (site) => {
      await applyEventually(site, authority);
      await site.kubectl.must('wait', '--for=condition=Ready', 'certificate/authority', '--timeout=60s');
      const certificate = await secretFile(site, 'authority', 'tls.crt');
      return openssl('verify', '-CAfile', certificate, certificate);
    },
    'an Issuer signs with that Certificate, and openssl verifies the chain': async (site) => {
      await applyEventually(site, issuer, leaf);
      await site.kubectl.must('wait', '--for=condition=Ready', 'certificate/web', '--timeout=60s');
      const [ca, certificate] = [
        await secretFile(site, 'web-tls', 'ca.crt'),
        await secretFile(site, 'web-tls', 'tls.crt'),
      ];
      assert.match(openssl('x509', '-in', certificate, '-noout', '-ext', 'subjectAltName'), /DNS:web\.default\.svc/);
      return openssl('verify', '-CAfile', ca, '-verify_hostname', 'web.default.svc', certificate);
    },
    'its mutating webhook says in a CertificateRequest who made it': async ({ kubectl }) => {
      const path = 'jsonpath={.items[0].spec.username}';
      const username = await kubectl.must('get', 'certificaterequests', '-n', 'default', '-o', path);
      assert.equal(username, 'system:serviceaccount:cert-manager:cert-manager');
      return username;
    },
    'its validating webhook refuses a Certificate that would be renewed before it is valid': async (site) => {
      const path = join(site.folder, 'bad.json');
      const bad = { ...leaf, metadata: inDefault('bad'), spec: { ...leaf.spec, renewBefore: '48h' } };
      writeFileSync(path, JSON.stringify(bad));
      const error = await refusal(site, 'create', '-f', path);
      assert.equal(
        error,
        `Error from server (Forbidden): error when creating "${path}": admission webhook "webhook.cert-manager.io" denied the request: spec.renewBefore: Invalid value: 172800000000000: certificate duration 24h0m0s must be greater than renewBefore 48h0m0s`,
      );
      return error;
    },
    'a changed Certificate is issued again': async (site) => {
      const names = ['web.default.svc', 'other.default.svc'];
      await site.kubectl.apply({ ...leaf, spec: { ...leaf.spec, dnsNames: names } });
      return await eventually(async () => {
        const certificate = await secretFile(site, 'web-tls', 'tls.crt');
        const text = openssl('x509', '-in', certificate, '-noout', '-ext', 'subjectAltName');
        return text.includes('DNS:other.default.svc') ? text : undefined;
      });
    },
  },
};
