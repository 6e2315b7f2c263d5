// Starts a whole cluster in this process for each argument, which is the JSON of its flags, and prints where they are.
import { rmSync } from 'node:fs';
import type { ClusterAddress } from '#test/api-client.ts';
import { startHostedCluster } from './start-cluster.ts';

process.on('SIGTERM', () => process.exit(0)).on('disconnect', () => process.exit(0));
const clusters: ClusterAddress[] = [];
for (const flags of process.argv.slice(2)) {
  const { url, pki, dataDir } = await startHostedCluster(JSON.parse(flags) as string[]);
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  clusters.push({ url, pki });
}
process.send?.(clusters);
