// Data that an old key or version wrote are rewritten by StorageVersionMigrations and the controller of
// kube-controller-manager, on this server with its own store and on the reference with etcd, in the same steps:
//   npm run build && REFERENCE_BIN=FOLDER node --import tsx test/conformance/storage-migration/run.ts
// Answers, stored values, conditions and what becomes of the objects are compared.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { playSteps } from './steps.ts';

const folder = mkdtempSync(join(tmpdir(), 'storage-migration-'));
const etcd = await startEtcd(referenceProgram('etcd') ?? '', join(folder, 'etcd'));
let differences = 0;
try {
  const places = { folder, etcdUrl: etcd.url };
  const played = await Promise.allSettled([playSteps('ours', places), playSteps('theirs', places)]);
  const [ours = new Map(), theirs = new Map()] = played.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  for (const [name, there] of theirs) {
    const here = ours.get(name);
    if (isDeepStrictEqual(here, there)) continue;
    differences++;
    console.log(`${name}\n  this server: ${JSON.stringify(here)}\n  reference:   ${JSON.stringify(there)}`);
  }
  const stale = Object.entries(ours.get('stored after') as Record<string, string>).filter(
    ([, head]) => !/key-b|\/v2$/.test(head),
  );
  for (const [key, head] of stale) console.log(`${key} still begins with ${head}`);
  console.log(`${theirs.size} facts compared, ${differences} differ, ${stale.length} values stale`);
  process.exitCode = differences + stale.length === 0 ? 0 : 1;
} finally {
  await etcd.close();
  rmSync(folder, { recursive: true, force: true });
}
