// Compares custom resources that a webhook converts with those of the reference: every verb in each version, stored
// objects of several versions, and webhooks that fail in every way that can be thought of.
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/conversion/run.ts [TEXT-IN-THE-NAME-OF-A-PART…]
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { brokenWebhooks } from './broken-webhooks.ts';
import { everyVerb } from './every-verb.ts';
import { mixedVersions } from './mixed-versions.ts';
import { TwoSides } from './two-sides.ts';
import { watches } from './watches.ts';

const chosen = process.argv.slice(2);
const parts = { everyVerb, mixedVersions, brokenWebhooks, watches };
const report = new Report();
const pair = await startPair();
const sides = await TwoSides.start(report, pair);
try {
  for (const [name, run] of Object.entries(parts)) {
    if (chosen.length > 0 && !chosen.some((text) => name.includes(text))) continue;
    sides.part = name;
    await run(sides);
  }
} finally {
  sides.close();
  await pair.close();
}
process.exit(report.finish());
