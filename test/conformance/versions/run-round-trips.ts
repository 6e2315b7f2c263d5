// Compares how objects look in every version that a server can have of them:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/versions/run-round-trips.ts
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { compareRoundTrips } from './round-trips.ts';

const pair = await startPair({
  flags: [
    '--runtime-config=api/all=true',
    '--feature-gates=ClusterTrustBundle=true,PodCertificateRequest=true,GenericWorkload=true,GangScheduling=true,DRADeviceTaintRules=true,DRAResourcePoolStatus=true,StorageVersionAPI=true,CoordinatedLeaderElection=true',
  ],
});
const report = new Report();
try {
  const left = await compareRoundTrips(report, pair.ours.server, pair.theirs.server);
  console.log(`without an object: ${left.join(', ') || 'no kind'}`);
} finally {
  await pair.close();
}
process.exit(report.finish());
