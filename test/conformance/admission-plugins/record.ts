// Records why kube-apiserver refuses each start of starts.ts, for the unit tests of shared/admission/configuration:
//   REFERENCE_BIN=… node --import tsx test/conformance/admission-plugins/record.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { freePort } from '#test/free-port.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { prepareStart, referenceReason, runToRefusal } from './reference-refusals.ts';
import { refusedStarts } from './starts.ts';

const [server, etcdProgram] = [referenceProgram('kube-apiserver'), referenceProgram('etcd')];
if (server === undefined || etcdProgram === undefined)
  throw new Error('REFERENCE_BIN holds no kube-apiserver with etcd');
const folder = mkdtempSync(join(tmpdir(), 'refusals-'));
const pki = pkiPaths(join(folder, 'pki'));
await ensureServiceAccountKeys(pki);
const etcd = await startEtcd(etcdProgram, join(folder, 'etcd'));
const recorded: { name: string; flags: readonly string[]; files: Readonly<Record<string, string>>; reason: string }[] =
  [];
try {
  for (const [index, start] of refusedStarts.entries()) {
    const own = join(folder, String(index));
    const flags = prepareStart(start, own);
    const said = await runToRefusal(
      [
        server,
        `--etcd-servers=${etcd.url}`,
        `--cert-dir=${join(folder, 'certificates')}`,
        '--bind-address=127.0.0.1',
        `--secure-port=${await freePort()}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${pki.serviceAccountPublicKey}`,
        `--service-account-signing-key-file=${pki.serviceAccountKey}`,
        '--service-cluster-ip-range=10.0.0.0/16',
        ...flags,
      ],
      /Serving securely/,
    );
    recorded.push({ ...start, reason: referenceReason(said, own) });
  }
} finally {
  await etcd.close();
  rmSync(folder, { recursive: true, force: true });
}
const file =
  process.argv[2] ?? new URL('../../../shared/admission/configuration/testdata/refusals.json', import.meta.url);
writeFileSync(file, `[\n${recorded.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
