// Compares what /healthz, /livez and /readyz answer: by every form of the query, with checks left out, at the paths of
// single checks; while etcd, a further etcd or plugins of KMS are away, hooks hang, and the server is ending:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/health/run.ts [SCENE…]
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report } from '#test/compare/report.ts';
import { startEtcdCluster, type EtcdCluster } from '#test/etcd-cluster.ts';
import { referenceProgram } from '#test/reference.ts';
import { comparable } from './comparable.ts';
import type { Answers } from './questions.ts';
import { scenes, type Scene } from './scenes.ts';
import { startSubject, type Kind, type Subject } from './subject.ts';

const etcdProgram = referenceProgram('etcd');
if (etcdProgram === undefined) throw new Error('REFERENCE_BIN holds no etcd');
const temporary = mkdtempSync(join(tmpdir(), 'health-'));

async function seenBy(kind: Kind, scene: Scene): Promise<Answers> {
  const folder = mkdtempSync(join(temporary, `${kind}-`));
  const etcds: EtcdCluster[] = [];
  const subjects: Subject[] = [];
  const answers: Answers = new Map();
  try {
    await scene.play(
      {
        kind,
        folder,
        async etcd(flags = []) {
          const options = { members: 1, flags };
          const etcd = await startEtcdCluster(etcdProgram ?? '', join(folder, `etcd-${etcds.length}`), options);
          etcds.push(etcd);
          return etcd;
        },
        async server(etcd, flags) {
          const subject = await startSubject(kind, folder, etcd.endpoints, flags);
          subjects.push(subject);
          return subject;
        },
      },
      answers,
    );
    return answers;
  } finally {
    await Promise.all(subjects.map((subject) => subject.end()));
    await Promise.all(etcds.map((etcd) => etcd.close()));
  }
}

const wanted = process.argv.slice(2);
const report = new Report();
for (const scene of scenes) {
  if (wanted.length > 0 && !wanted.includes(scene.name)) continue;
  const [want, have] = [await seenBy('reference', scene), await seenBy('ours', scene)];
  for (const [what, answer] of want) {
    const here = have.get(what);
    report.equal(scene.name, what, comparable(answer), here && comparable(here));
  }
}
rmSync(temporary, { recursive: true, force: true });
process.exitCode = report.finish();
