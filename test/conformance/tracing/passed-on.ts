import { createWidget, prepare } from './steps.ts';
import { toldOfWrites } from './told-to-etcd.ts';
import type { TracedServer } from './traced-server.ts';
import type { TracedWebhook } from './webhook-server.ts';

const trace = '0af7651916cd43dd8448eb211c801000-b7ad6b7169203331';

/** What clients send of their traces to servers that trace nothing. */
const sent: readonly Readonly<Record<string, string>>[] = [
  {},
  { traceparent: `00-${trace}-01`, tracestate: 'a=1,b@c=2', baggage: 'd=e' },
  { traceparent: `00-${trace}-00`, tracestate: 'a' },
  { traceparent: `00-${trace}-03` },
  { traceparent: `01-${trace}-ff-more` },
  { traceparent: 'garbage', tracestate: 'a=1' },
  { baggage: 'x=y' },
];

/** What webhooks and etcd are told of traces, by what the client sent. */
export async function passedOn(
  { client, etcdCalls }: Pick<TracedServer, 'client' | 'etcdCalls'>,
  webhook: TracedWebhook,
): Promise<Map<string, string>> {
  await prepare(client, webhook);
  const told = new Map<string, string>();
  for (const [index, headers] of sent.entries()) {
    webhook.told.length = 0;
    etcdCalls.length = 0;
    await createWidget(client, `passed-${index}`, headers);
    told.set(JSON.stringify(headers), [...webhook.told, `etcd: ${toldOfWrites(etcdCalls)}`].join(' | '));
  }
  return told;
}
