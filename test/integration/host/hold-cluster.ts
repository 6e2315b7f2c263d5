// A test file of a run, as a runner starts it: starts a cluster, prints where it is, and waits to be killed.
import { startCluster } from '#servers/host/client/start-cluster.ts';

const { kubeconfig } = await startCluster();
process.stdout.write(`${kubeconfig}\n`);
setInterval(() => undefined, 60_000);
