import type { Pair } from '#test/compare/pair.ts';
import type { Report } from '#test/compare/report.ts';
import { growthBy } from '#test/conformance/metrics/growth.ts';
import { startAnsweringWebhook } from './answering-webhook.ts';
import { admittedRequests, prepareAdmission } from './steps.ts';
import { sparesWebhooks } from './webhook-time.ts';

/** Families that nothing but these requests counts in, and what is counted of calls of the webhooks. */
const families = new RegExp(
  [
    'apiserver_admission_(?:webhook|match)',
    'apiserver_(?:validating|mutating)_admission_policy',
    'apiserver_impersonation_attempts',
    'pod_security_',
    // Reviews of Go's encoder are longer by a line feed.
    String.raw`rest_client_request\w+ (?!.* sum$).*(?:localhost:|127\.0\.0\.1:1")`,
  ]
    .map((family) => `^${family}`)
    .join('|'),
);

/** Compares what admission counts: webhooks, policies, their conditions, and Pod Security. */
export async function compareAdmission({ ours, theirs }: Pair, report: Report): Promise<void> {
  const webhook = await startAnsweringWebhook();
  try {
    for (const side of [ours, theirs]) await prepareAdmission(side, webhook);
    const [have, want] = await Promise.all([
      growthBy(ours, admittedRequests, families),
      growthBy(theirs, admittedRequests, families),
    ]);
    for (const [asked, counts] of want) report.equal('admission', asked, counts, have.get(asked));
    const spared = await Promise.all([sparesWebhooks(ours), sparesWebhooks(theirs)]);
    report.equal('admission', 'durations without webhooks', spared[1], spared[0]);
    report.equal('admission', 'which durations are without webhooks', { all: false, sli: true }, spared[0]);
  } finally {
    webhook.close();
  }
}
