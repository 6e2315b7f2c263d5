// Asks this server and the reference for CronJobs with every time zone and with names that are none, in dry runs, and
// compares the answers:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/time-zones/run.ts [--share N]
// With --share one name of N is asked for, other ones each day.
import { parseArgs } from 'node:util';
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { TwoServers } from '#test/compare/two-servers.ts';
import { allNames } from './names.ts';

const { values: flags } = parseArgs({ options: { share: { type: 'string', default: '1' } } });
const share = Number(flags.share);
/** Days since 1970. */
const today = Math.floor(Date.now() / 86_400_000);
const atOnce = 8;

const container = { name: 'c', image: 'i' };
const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } };
const path = '/apis/batch/v1/namespaces/default/cronjobs?dryRun=All';

const report = new Report();
const pair = await startPair();
try {
  const servers = new TwoServers('time zones', report, pair.ours.server, pair.theirs.server);
  const pending = allNames().filter((_, index) => index % share === today % share);
  const ask = async (): Promise<void> => {
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      await servers.ask(JSON.stringify(name).slice(0, 60), [201, 422], 'POST', path, {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'a' },
        spec: { schedule: '* * * * *', timeZone: name, jobTemplate },
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
} finally {
  await pair.close();
}
process.exit(report.finish());
