import { Buffer } from 'node:buffer';
import type { AuditLevel } from '#shared/audit/contract/audit-event.ts';
import { auditHeader } from '#shared/request/audit-header.ts';
import type { LatencyLayer } from '#shared/request/latency-layers.ts';
import type { NamedObject, NotedStatus, RequestAudit } from '#shared/request/request-audit.ts';
import { AuditMaterial, type MaterialOptions } from './audit-material.ts';

/**
 * What a backend tells the gateway for the events of a request. The gateway, which writes them, sends the level with
 * the request in this header; the backend answers with messages, which are all sent before the answer ends. An answer
 * of HTTP/1.1 has those from before its beginning in the same header, in base64, separated by commas.
 *
 * A message is u8 kind and
 *
 *   facts      JSON of {@link Facts}
 *   request    bytes of the object of the request; those of several messages are joined
 *   response   bytes of the object of the answer; the same
 *   body       nothing: the object of the answer is its body, with a line feed at its end
 */
export const materialHeader = auditHeader;

const kinds = { facts: 1, request: 2, response: 3, body: 4 } as const;

/** Longer objects are sent in several messages, so that other requests get their turn. */
const pieceBytes = 64 * 1024;

const earlyAfterMs = 100;

interface Facts {
  readonly annotations?: readonly (readonly [string, string])[];
  readonly object?: NamedObject;
  readonly status?: NotedStatus;
  readonly panic?: string;
  readonly latencies?: readonly (readonly [LatencyLayer, number])[];
}

/** The value of the header of a request. */
export function levelHeader({ keepsRequest, keepsResponse, omitsManagers }: RequestAudit): string {
  const level: AuditLevel = keepsResponse ? 'RequestResponse' : keepsRequest ? 'Request' : 'Metadata';
  return omitsManagers ? `${level};omitManagedFields` : level;
}

/** The way of messages to the gateway. */
export interface HopOfMaterial {
  readonly send: (message: Uint8Array) => void;
  /** Whether the gateway can take the object of the answer from its body. */
  readonly readsBody: boolean;
}

/** The material of a request at the backend, which sends it to the gateway. */
export class HopMaterial extends AuditMaterial {
  readonly #send: HopOfMaterial['send'];
  readonly #readsBody: boolean;
  readonly #sent = new Set<string>();
  #unsent: Facts = {};
  #begun = false;
  #early: NodeJS.Timeout | undefined;

  /** @param header the value that the gateway has sent */
  constructor(header: string, onConflict: MaterialOptions['onConflict'], { send, readsBody }: HopOfMaterial) {
    const [level = '', omit] = header.split(';');
    super({ level: level as AuditLevel, omitManagedFields: omit !== undefined, onConflict });
    this.#send = send;
    this.#readsBody = readsBody;
  }

  override annotate(key: string, value: string): void {
    super.annotate(key, value);
    if (this.#sent.has(key)) return;
    this.#sent.add(key);
    this.#tell({ annotations: [...(this.#unsent.annotations ?? []), [key, value]] });
  }

  override noteObject(object: NamedObject): void {
    this.#tell({ object });
    // A write that takes longer may come to no answer of this server: its deadline, client or process may end it.
    if (!this.#begun) this.#early ??= setTimeout(() => this.#flush(), earlyAfterMs).unref();
  }

  override noteStatus(status: NotedStatus): void {
    this.#tell({ status });
  }

  override notePanic(panic: string): void {
    this.#tell({ panic });
  }

  override noteRequest(json: Uint8Array): void {
    this.#flush();
    this.#sendPieces(kinds.request, json);
  }

  override noteResponse(json: Uint8Array): void {
    this.#sendPieces(kinds.response, json);
  }

  override noteBody(): boolean {
    if (this.#readsBody) this.#send(Buffer.of(kinds.body));
    return this.#readsBody;
  }

  /** Tells where the time has gone, for requests that may turn out to be slow. */
  tellLatencies(): void {
    const latencies = this.takeLatencies();
    if (latencies.length > 0) this.#tell({ latencies });
  }

  /** Sends what is known as the answer begins; what follows is sent at once. */
  begin(): void {
    this.#begun = true;
    clearTimeout(this.#early);
    this.#flush();
  }

  #tell(facts: Facts): void {
    this.#unsent = { ...this.#unsent, ...facts };
    if (this.#begun) this.#flush();
  }

  #flush(): void {
    if (Object.keys(this.#unsent).length === 0) return;
    const json = Buffer.from(JSON.stringify(this.#unsent));
    this.#unsent = {};
    this.#send(message(kinds.facts, json));
  }

  #sendPieces(kind: number, json: Uint8Array): void {
    for (let at = 0; at < json.length; at += pieceBytes) this.#send(message(kind, json.subarray(at, at + pieceBytes)));
  }
}

function message(kind: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(1 + payload.length);
  bytes[0] = kind;
  bytes.set(payload, 1);
  return bytes;
}

/** What a message says beyond its parts: that the body of the answer is its object. */
export type MaterialMeaning = 'part' | 'body';

/** Adds a message of a backend to the material of the gateway. The bytes may be reused afterwards. */
export function takeMaterial(audit: RequestAudit, bytes: Uint8Array): MaterialMeaning {
  const payload = bytes.subarray(1);
  if (bytes[0] === kinds.body) return 'body';
  if (bytes[0] === kinds.request) audit.noteRequest(Buffer.from(payload));
  else if (bytes[0] === kinds.response) audit.noteResponse(Buffer.from(payload));
  else takeFacts(audit, JSON.parse(Buffer.from(payload).toString()) as Facts);
  return 'part';
}

function takeFacts(audit: RequestAudit, { annotations, object, status, panic, latencies }: Facts): void {
  for (const [key, value] of annotations ?? []) audit.annotate(key, value);
  if (object !== undefined) audit.noteObject(object);
  if (status !== undefined) audit.noteStatus(status);
  if (panic !== undefined) audit.notePanic(panic);
  for (const [layer, ms] of latencies ?? []) audit.noteLatency(layer, ms);
}
