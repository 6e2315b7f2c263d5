import { Buffer } from 'node:buffer';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import type { AuditedStatus, AuditLevel } from '#shared/audit/contract/audit-event.ts';
import { latencyLayers, type LatencyLayer } from '#shared/request/latency-layers.ts';
import type { GivenUp, NamedObject, NotedStatus, RequestAudit } from '#shared/request/request-audit.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** How much of a request is collected. */
export interface MaterialOptions {
  readonly level: AuditLevel;
  readonly omitManagedFields: boolean;
  /** Told of a value that was dropped, since its key has another. */
  readonly onConflict: (key: string, value: string, kept: string) => void;
}

const none: ReadonlyMap<string, string> = new Map();
const noParts: Uint8Array[] = [];
const lineFeed = 0x0a;

/** Collects what handlers know of one request for its events. */
export class AuditMaterial implements RequestAudit {
  readonly keepsRequest: boolean;
  readonly keepsResponse: boolean;
  readonly omitsManagers: boolean;
  readonly #onConflict: MaterialOptions['onConflict'];
  #annotations: Map<string, string> | undefined;
  #requestParts: Uint8Array[] = noParts;
  #responseParts: Uint8Array[] = noParts;
  #latencies: Map<LatencyLayer, number> | undefined;
  #writingSinceMs: number | undefined;
  object: NamedObject | undefined;
  status: Omit<AuditedStatus, 'code'> | undefined;
  panic: string | undefined;
  givenUp: GivenUp | undefined;
  impersonatedUser: UserInfo | undefined;
  impersonationConstraint: string | undefined;

  constructor({ level, omitManagedFields, onConflict }: MaterialOptions) {
    this.keepsResponse = level === 'RequestResponse';
    this.keepsRequest = this.keepsResponse || level === 'Request';
    this.omitsManagers = omitManagedFields;
    this.#onConflict = onConflict;
  }

  get annotations(): ReadonlyMap<string, string> {
    return this.#annotations ?? none;
  }

  annotate(key: string, value: string): void {
    const kept = this.#annotations?.get(key);
    if (kept === undefined) (this.#annotations ??= new Map()).set(key, value);
    else if (kept !== value) this.#onConflict(key, value, kept);
  }

  noteObject(object: NamedObject): void {
    this.object = object;
  }

  noteRequest(json: Uint8Array): void {
    this.#requestParts = [...this.#requestParts, json];
  }

  noteStatus({ status, message, reason, details }: NotedStatus): void {
    this.status = {
      ...(status === undefined ? {} : { status }),
      ...(message === undefined ? {} : { message }),
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details: goJson(details as JsonValue) }),
    };
  }

  noteResponse(json: Uint8Array): void {
    if (this.#responseParts.length === 0) this.#responseParts = [json];
    else this.#responseParts.push(json);
  }

  noteImpersonation(user: UserInfo, constraint: string | undefined): void {
    this.impersonatedUser = user;
    this.impersonationConstraint = constraint;
  }

  noteIfGivenUp(outcome: GivenUp | undefined): void {
    this.givenUp = outcome;
  }

  notePanic(message: string): void {
    this.panic ??= message;
  }

  noteLatency(layer: LatencyLayer, ms: number): void {
    const latencies = (this.#latencies ??= new Map());
    const before = latencies.get(layer) ?? 0;
    latencies.set(layer, latencyLayers[layer] === 'sum' ? before + ms : Math.max(before, ms));
  }

  noteWriting(sinceMs?: number): void {
    const nowMs = performance.now();
    if (sinceMs !== undefined) this.noteLatency('transform-response-object', nowMs - sinceMs);
    this.#writingSinceMs ??= nowMs;
  }

  /** What was noted since the last call, milliseconds. Objects are encoded as they are written. */
  takeLatencies(): [LatencyLayer, number][] {
    if (this.#writingSinceMs !== undefined) {
      const ms = performance.now() - this.#writingSinceMs;
      this.#writingSinceMs += ms;
      this.noteLatency('serialize-response-object', ms);
      this.noteLatency('response-write', ms);
    }
    const taken = [...(this.#latencies ?? [])];
    this.#latencies = undefined;
    return taken;
  }

  noteBody(): boolean {
    return false;
  }

  forgetObjects(): void {
    this.#requestParts = noParts;
    this.#responseParts = noParts;
  }

  /** The object of the request; undefined as long as nothing of it was noted. */
  get requestObject(): Uint8Array | undefined {
    return joined(this.#requestParts);
  }

  /** The object of the answer. */
  get responseObject(): Uint8Array | undefined {
    return joined(this.#responseParts);
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array | undefined {
  if (parts.length === 0) return undefined;
  const whole = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
  return whole.at(-1) === lineFeed ? whole.subarray(0, -1) : whole;
}
