import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pkiPaths, type PkiPaths } from '#shared/process/data-directory.ts';
import type { EtcdCluster } from '#test/etcd-cluster.ts';
import { deleteKeys, fill, smallQuota } from './etcd-data.ts';
import { askChecks, askForms, askState, checkNames, type Answers } from './questions.ts';
import type { Kind, Subject } from './subject.ts';

/** What a scene has to work with. */
export interface Stage {
  readonly kind: Kind;
  readonly folder: string;
  /** Starts a further etcd. */
  etcd(flags?: readonly string[]): Promise<EtcdCluster>;
  /** Starts the server on an etcd. */
  server(etcd: EtcdCluster, flags: readonly string[]): Promise<Subject>;
}

export interface Scene {
  readonly name: string;
  play(stage: Stage, answers: Answers): Promise<void>;
}

const isReady = ({ status }: { readonly status: number }): boolean => status === 200;
const hasFailed = ({ status }: { readonly status: number }): boolean => status === 500;

async function untilFailed(subject: Subject, ...checks: readonly string[]): Promise<void> {
  for (const check of checks) await subject.until(`/readyz/${check}`, hasFailed);
}

/** Etcd is there, then stopped, back, and does not answer; the server is told to end at last. */
const etcdAway: Scene = {
  name: 'etcd away',
  async play(stage, answers) {
    const etcd = await stage.etcd();
    const [member] = etcd.members;
    const subject = await stage.server(etcd, ['--shutdown-delay-duration=60s']);
    const all = checkNames((await subject.until('/readyz?verbose', isReady)).text);
    await subject.until('/healthz', isReady);
    await askForms(subject, answers);
    await askState(subject, 'healthy', answers);
    await askChecks(subject, [...all, 'autoregister-completion', 'crd-informer-synced'], 'healthy', answers);
    await member?.stop();
    await untilFailed(subject, 'etcd', 'etcd-readiness');
    await askState(subject, 'etcd is gone', answers);
    await askChecks(subject, all, 'etcd is gone', answers);
    await member?.restart();
    await subject.until('/readyz', isReady);
    await askState(subject, 'etcd is back', answers);
    member?.signal('SIGSTOP');
    await untilFailed(subject, 'etcd', 'etcd-readiness');
    await askState(subject, 'etcd hangs', answers);
    member?.signal('SIGCONT');
    await subject.until('/readyz', isReady);
    subject.signal();
    await untilFailed(subject, 'shutdown');
    await askState(subject, 'is ending', answers);
    await askChecks(subject, ['shutdown', 'etcd', 'informer-sync'], 'is ending', answers);
  },
};

/** A further etcd, of Events, goes away. */
const override: Scene = {
  name: 'a further etcd away',
  async play(stage, answers) {
    const [usual, other] = [await stage.etcd(), await stage.etcd()];
    const subject = await stage.server(usual, [`--etcd-servers-overrides=/events#${other.endpoints}`]);
    await subject.until('/readyz', isReady);
    await askState(subject, 'healthy', answers);
    await other.members[0]?.stop();
    await untilFailed(subject, 'etcd-override-0', 'etcd-override-readiness-0');
    await askState(subject, 'etcd of Events is gone', answers);
    const names = ['etcd', 'etcd-readiness', 'etcd-override-0', 'etcd-override-readiness-0'];
    await askChecks(subject, names, 'etcd of Events is gone', answers);
  },
};

/**
 * An etcd without space takes no write, so hooks that create objects do not finish. The objects of other hooks are
 * there, since the reference ends with those that fail at once.
 */
function hooksHang(name: string, flags: readonly string[]): Scene {
  return {
    name,
    async play(stage, answers) {
      const etcd = await stage.etcd([`--quota-backend-bytes=${smallQuota}`]);
      const before = await stage.server(etcd, []);
      await before.until('/readyz', isReady);
      await before.end();
      for (const resource of ['clusterroles', 'apiregistration.k8s.io/apiservices'])
        await deleteKeys(etcd, `/registry/${resource}/`);
      await fill(etcd);
      const subject = await stage.server(etcd, flags);
      await subject.until('/readyz?verbose', ({ text }) => text.includes('[+]poststarthook/storage-readiness'));
      // Their order among others that do not finish is a matter of chance: each is looked at alone.
      await untilFailed(subject, ...unfinished);
      for (const endpoint of ['healthz', 'livez', 'readyz']) {
        const { status, headers, text } = await subject.ask(`/${endpoint}?verbose`);
        const lines = text.split('\n').filter((line) => unfinished.some((check) => line.includes(check)));
        const { 'content-type': contentType } = headers;
        answers.set(endpoint, { status, headers: { contentType }, text: lines.join('\n') });
      }
      await askChecks(subject, unfinished, 'no space in etcd', answers);
    },
  };
}

const unfinished = ['poststarthook/rbac/bootstrap-roles', 'autoregister-completion'];

/** KMS plugins that are not there, with and without a file that is read again. */
function kms(name: string, flags: readonly string[]): Scene {
  return {
    name,
    async play(stage, answers) {
      mkdirSync(stage.folder, { recursive: true });
      const file = join(stage.folder, 'encryption.yaml');
      writeFileSync(file, encryption(stage.folder));
      const subject = await stage.server(await stage.etcd(), [`--encryption-provider-config=${file}`, ...flags]);
      await subject.until('/readyz/poststarthook/rbac/bootstrap-roles', isReady);
      await subject.until('/livez', isReady);
      await askState(subject, 'plugins are away', answers);
      const names = [
        'kms-provider-0',
        'kms-provider-1',
        'kms-providers',
        'poststarthook/start-encryption-provider-config-automatic-reload',
      ];
      await askChecks(subject, names, 'plugins are away', answers);
    },
  };
}

function encryption(folder: string): string {
  const provider = (name: string): string =>
    `  - kms: {apiVersion: v2, name: ${name}, endpoint: 'unix://${folder}/${name}.sock', timeout: 1s}\n`;
  return `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets, events]
  providers:
${provider('b')}${provider('a')}  - identity: {}
`;
}

/** Hooks and checks that come and go with flags, in their order. */
function flagged(name: string, flags: (pki: PkiPaths) => readonly string[]): Scene {
  return {
    name,
    async play(stage, answers) {
      const subject = await stage.server(await stage.etcd(), flags(pkiPaths(join(stage.folder, 'pki'))));
      await subject.until('/readyz', isReady);
      await askState(subject, 'healthy', answers);
    },
  };
}

export const scenes: readonly Scene[] = [
  etcdAway,
  override,
  hooksHang('hooks that hang', []),
  hooksHang('hooks that hang, within the grace of /livez', ['--livez-grace-period=10m']),
  flagged('gates', ({ caCert }) => [
    '--feature-gates=CoordinatedLeaderElection=true,UnknownVersionInteroperabilityProxy=true',
    '--runtime-config=coordination.k8s.io/v1beta1=true',
    `--peer-ca-file=${caCert}`,
  ]),
  kms('KMS plugins away', []),
  kms('KMS plugins away, file read again', ['--encryption-provider-config-automatic-reload=true']),
];
