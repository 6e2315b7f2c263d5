// Compares the versions that this server serves with those of the reference, in every form of the flags that choose
// them:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/versions/run.ts [TEXT-IN-THE-NAME-OF-A-FORM…]
// Needs the bundles of dist (or QUARTERDECK_DIST). Each form starts both servers once.
import { TwoServers } from '../published-crds/two-servers.ts';
import { compareDiscovery } from './compare-discovery.ts';
import { flagForms } from './flag-forms.ts';
import { startPair } from './pair.ts';

const chosen = process.argv.slice(2);
let differences = 0;
for (const [name, flags] of Object.entries(flagForms)) {
  if (chosen.length > 0 && !chosen.some((part) => name.includes(part))) continue;
  try {
    differences += await compareForm(name, flags);
  } catch (error) {
    console.log(`FAILED  ${name}: ${String(error)}`);
    differences += 1;
  }
}
process.exitCode = differences > 0 ? 1 : 0;
process.exit();

/** The number of documents that differ. */
async function compareForm(name: string, flags: readonly string[]): Promise<number> {
  const pair = await startPair(flags);
  try {
    const servers = new TwoServers(pair.ours, pair.theirs);
    await compareDiscovery(pair, servers, name);
    console.log(
      `${servers.differences.length === 0 ? 'equal  ' : 'DIFFERS'} ${name}: ${servers.compared} documents, ${servers.differences.length} differ`,
    );
    for (const difference of servers.differences) console.log(`  ${difference}`);
    return servers.differences.length;
  } finally {
    await pair.close();
  }
}
