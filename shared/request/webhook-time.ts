import { Buffer } from 'node:buffer';
import type { RequestContext } from './request-context.ts';

/** The first byte of a note of this kind: no other message of a backend begins with it. */
const kind = 0x11;
const noteBytes = 9;

/** A request waited for webhooks: durations for SLIs leave that out, here and in the gateway. */
export function noteWebhookTime(context: RequestContext, ms: number): void {
  addWebhookTime(context, ms);
  if (context.exchange.sendNote === undefined) return;
  const note = Buffer.alloc(noteBytes);
  note[0] = kind;
  note.writeDoubleBE(ms, 1);
  context.exchange.sendNote(note);
}

/** Takes the note of a backend; undefined if it is another one. */
export function readWebhookTime(note: Uint8Array): number | undefined {
  if (note[0] !== kind || note.length !== noteBytes) return undefined;
  return Buffer.from(note.buffer, note.byteOffset, note.length).readDoubleBE(1);
}

export function addWebhookTime(context: RequestContext, ms: number): void {
  context.webhookMs = (context.webhookMs ?? 0) + ms;
}
