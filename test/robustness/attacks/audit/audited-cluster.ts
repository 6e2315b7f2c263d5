import { join } from 'node:path';
import type { ApiClient } from '#test/api-client.ts';

/** The flags of a server whose policy and webhook are files of a folder. */
export function auditedFlags(folder: string): string[] {
  return [
    `--audit-policy-file=${join(folder, 'policy.yaml')}`,
    `--audit-webhook-config-file=${join(folder, 'kubeconfig')}`,
  ];
}

/** Some hundred events are kept at most: those that wait, and those of 64 calls. */
export const fewEvents = ['--audit-webhook-batch-buffer-size=100', '--audit-webhook-batch-max-size=5'];

/** How many events the gateway says were not written. */
export async function droppedEvents(client: ApiClient): Promise<number> {
  const { text } = await client.send('GET', '/metrics');
  const counts = [...text.matchAll(/^quarterdeck_audit_dropped_events_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
