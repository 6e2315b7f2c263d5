// A thread that sends GETs one after the other and tells how long each took, so that what the main thread does is not
// measured with them.
import { parentPort, workerData } from 'node:worker_threads';
import { http2Client, type ClusterAddress } from '#test/api-client.ts';

export interface ProberData {
  readonly cluster: ClusterAddress;
  readonly path: string;
}

const { cluster, path } = workerData as ProberData;
const admin = http2Client(cluster);

parentPort?.on('message', (count: number) => {
  void (async () => {
    const took: number[] = [];
    for (let at = 0; at < count; at++) {
      const begun = performance.now();
      const { status } = await admin.send('GET', path);
      if (status !== 200) throw new Error(`GET ${path}: ${status}`);
      took.push(performance.now() - begun);
    }
    parentPort?.postMessage(took);
  })();
});
