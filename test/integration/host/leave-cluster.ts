// Starts a cluster, prints where it is and by which process, and is killed.
import { execFileSync } from 'node:child_process';
import { startCluster } from '#servers/host/client/start-cluster.ts';

const { kubeconfig } = await startCluster();
const children = execFileSync('ps', ['--ppid', String(process.pid), '-o', 'pid=,args='], { encoding: 'utf8' });
const host = children.split('\n').find((line) => line.trim().endsWith(' host'));
process.stdout.write(JSON.stringify([Number.parseInt(host ?? '', 10), kubeconfig]), () =>
  process.kill(process.pid, 'SIGKILL'),
);
