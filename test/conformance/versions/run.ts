// Compares the versions that this server serves with those of the reference, in every form of the flags that choose
// them:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/versions/run.ts [TEXT-IN-THE-NAME-OF-A-FORM…]
// Needs the bundles of dist (or QUARTERDECK_DIST). Each form starts both servers once.
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { TwoServers } from '#test/compare/two-servers.ts';
import { compareDiscovery } from './compare-discovery.ts';
import { flagForms } from './flag-forms.ts';

const chosen = process.argv.slice(2);
const report = new Report();
for (const [name, flags] of Object.entries(flagForms)) {
  if (chosen.length > 0 && !chosen.some((part) => name.includes(part))) continue;
  try {
    await compareForm(name, flags);
  } catch (error) {
    report.note(name, 'start', [String(error)]);
  }
}
process.exit(report.finish());

async function compareForm(name: string, flags: readonly string[]): Promise<void> {
  const pair = await startPair({ flags });
  try {
    await compareDiscovery(pair, new TwoServers(name, report, pair.ours.server, pair.theirs.server));
  } finally {
    await pair.close();
  }
}
