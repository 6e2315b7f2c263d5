// Compares how objects look in every version that a server can have of them:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/versions/run-round-trips.ts
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { adminToken } from '../../tokens.ts';
import { serverAt } from '../differential/play.ts';
import { startPair } from './pair.ts';
import { compareRoundTrips } from './round-trips.ts';

const pair = await startPair([
  '--runtime-config=api/all=true',
  '--feature-gates=ClusterTrustBundle=true,PodCertificateRequest=true,GenericWorkload=true,GangScheduling=true,DRADeviceTaintRules=true,DRAResourcePoolStatus=true,StorageVersionAPI=true,CoordinatedLeaderElection=true',
]);
try {
  const { compared, differences, left } = await compareRoundTrips(
    serverAt(pair.oursUrl, adminToken),
    serverAt(pair.theirsUrl, adminToken),
  );
  for (const difference of differences) console.log(`  ${difference}`);
  console.log(
    `${compared} answers compared, ${differences.length} differ; without an object: ${left.join(', ') || 'no kind'}`,
  );
  process.exitCode = differences.length > 0 ? 1 : 0;
} finally {
  await pair.close();
}
process.exit();
