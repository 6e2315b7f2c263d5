import { textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import { epochMicroseconds } from '#shared/apimachinery/values/epoch-clock.ts';
import type { AuditedObject, AuditedStatus, AuditEvent, AuditStage } from '#shared/audit/contract/audit-event.ts';
import type { AuditDecision, AuditPolicy } from '#shared/audit/contract/audit-policy.ts';
import type { AuditSink } from '#shared/audit/contract/audit-sink.ts';
import { AuditMaterial, type MaterialOptions } from '#shared/audit/material/audit-material.ts';
import { headerValue } from '#shared/request/header-values.ts';
import type { GivenUp } from '#shared/request/request-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import { sourceAddresses } from './source-addresses.ts';

/** Whoever makes the audit events of a server. */
export interface AuditRecorder {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
  readonly metrics: AuditMetrics;
  readonly onConflict: MaterialOptions['onConflict'];
}

const longestUserAgent = 1024;
/** The bytes of objects that the events of all running requests hold. */
const maxHeldBytes = 64 * 1024 * 1024;
let heldBytes = 0;
/** As events say it whose objects a sink leaves out (apiserver/plugin/pkg/audit/truncate). */
const truncatedKey = 'audit.k8s.io/truncated';
const noAnnotations: ReadonlyMap<string, string> = new Map();
/** Slower requests tell in annotations where the time went (endpoints/filters/audit.go). */
const slowMs = 500;

/** The events of one request, from its authentication to its end. Each stage is written once at most. */
export class AuditTrail extends AuditMaterial {
  readonly #context: RequestContext;
  readonly #decision: AuditDecision;
  readonly #auditing: AuditRecorder;
  readonly #user: UserInfo;
  readonly #requestUri: string;
  readonly #sourceIps: readonly string[];
  readonly #userAgent: string;
  readonly #receivedAtUs: number;
  #over = false;
  #heldBytes = 0;
  #isTruncated = false;

  constructor(context: RequestContext, decision: AuditDecision, auditing: AuditRecorder) {
    super({ ...decision, onConflict: auditing.onConflict });
    const { exchange, user, receivedAtMs } = context;
    this.#context = context;
    this.#decision = decision;
    this.#auditing = auditing;
    this.#user = user;
    this.#requestUri = textOfBytes(exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`);
    this.#sourceIps = sourceAddresses(exchange);
    this.#userAgent = userAgentOf(headerValue(exchange, 'user-agent'));
    this.#receivedAtUs = epochMicroseconds(receivedAtMs);
    // Events are made for requests that have just been authenticated.
    this.noteLatency('authentication', performance.now() - receivedAtMs);
  }

  override annotate(key: string, value: string): void {
    if (!this.#over) super.annotate(key, value);
  }

  override noteRequest(json: Uint8Array): void {
    if (this.#hold(json.length)) super.noteRequest(json);
  }

  override noteResponse(json: Uint8Array): void {
    if (this.#hold(json.length)) super.noteResponse(json);
  }

  override forgetObjects(): void {
    super.forgetObjects();
    heldBytes -= this.#heldBytes;
    this.#heldBytes = 0;
  }

  /** Leaves the objects out where events hold too much of them already. */
  #hold(bytes: number): boolean {
    if (this.#over || this.#isTruncated) return false;
    if (heldBytes + bytes > maxHeldBytes) {
      this.#isTruncated = true;
      this.forgetObjects();
      this.annotate(truncatedKey, 'true');
      this.#auditing.metrics.truncated();
      return false;
    }
    heldBytes += bytes;
    this.#heldBytes += bytes;
    return true;
  }

  /** Writes that the request was received. False, or a promise of it, if the request must be refused. */
  receive(): boolean | Promise<boolean> {
    return this.#write('RequestReceived', undefined);
  }

  /** Writes the following stages as the answer begins and ends. */
  followAnswer(): void {
    const { exchange, longRunning } = this.#context;
    if (longRunning) exchange.onAnswer(() => void this.#write('ResponseStarted', this.#statusSoFar()));
    // Before the last bytes are sent: who has read the answer finds the event in a log that is written at once.
    exchange.onComplete(() => this.#complete());
  }

  /** Writes only that the answer begins: for requests that filters refuse before this one. */
  followRefusal(): void {
    const { exchange } = this.#context;
    exchange.onAnswer(() => {
      void this.#write('ResponseStarted', this.#statusSoFar());
      this.#end();
    });
  }

  /** In blocking modes a promise, for which the end of the answer waits as in the reference. */
  #complete(): void | Promise<boolean> {
    const written = this.#writeLast();
    this.#end();
    return typeof written === 'boolean' ? undefined : written;
  }

  #writeLast(): boolean | Promise<boolean> {
    const panic = this.panic ?? this.givenUp?.panic;
    if (panic !== undefined) {
      const message = `APIServer panic'd: ${panic}`;
      return this.#write('Panic', { status: 'Failure', message, reason: 'InternalError', code: 500 });
    }
    this.#annotateLatency();
    return this.#write('ResponseComplete', this.#statusSoFar());
  }

  #end(): void {
    this.#over = true;
    this.forgetObjects();
  }

  #annotateLatency(): void {
    const totalMs = performance.now() - this.#context.receivedAtMs;
    if (totalMs <= slowMs || this.#context.info.verb === 'watch') return;
    for (const [layer, ms] of [...this.takeLatencies(), ['total', totalMs] as const])
      if (ms > 0) this.annotate(`apiserver.latency.k8s.io/${layer}`, formatDuration(BigInt(Math.round(ms * 1e6))));
  }

  /** Clients that leave before an answer get a success, as in the reference. */
  #statusSoFar(): AuditedStatus {
    const { statusCode } = this.#context.exchange;
    if (this.givenUp?.status !== undefined) return this.givenUp.status;
    if (statusCode === 0) return { status: 'Success', message: 'Connection closed early', code: 200 };
    return this.status === undefined ? { code: statusCode } : { ...this.status, code: statusCode };
  }

  #write(stage: AuditStage, responseStatus: AuditedStatus | undefined): boolean | Promise<boolean> {
    const { sink, metrics } = this.#auditing;
    if (this.#over || this.#decision.omitStages.has(stage)) return true;
    metrics.made();
    return sink.process([this.#event(stage, responseStatus)]);
  }

  #event(stage: AuditStage, responseStatus: AuditedStatus | undefined): AuditEvent {
    const { auditId, info } = this.#context;
    const { annotations } = this;
    const isLast = stage === 'ResponseComplete' || stage === 'Panic';
    return {
      level: this.#decision.level as AuditEvent['level'],
      auditId: textOfBytes(auditId),
      stage,
      requestUri: this.#requestUri,
      verb: info.verb,
      user: this.#user,
      impersonatedUser: this.impersonatedUser,
      impersonationConstraint: this.impersonationConstraint,
      sourceIps: this.#sourceIps,
      userAgent: this.#userAgent,
      object: info.isResourceRequest ? this.#objectRef() : undefined,
      responseStatus,
      requestObject: this.requestObject,
      // What a time limit has answered is not the proxy's.
      responseObject: this.givenUp?.status === undefined ? this.responseObject : this.#objectIfKept(this.givenUp),
      receivedAtUs: this.#receivedAtUs,
      stageAtUs: stage === 'RequestReceived' ? this.#receivedAtUs : epochMicroseconds(performance.now()),
      annotations: annotations.size === 0 ? noAnnotations : isLast ? annotations : new Map(annotations),
    };
  }

  #objectIfKept({ object }: GivenUp): Uint8Array | undefined {
    return this.keepsResponse ? object : undefined;
  }

  /** What the path says of the object, and what only the object itself says. */
  #objectRef(): AuditedObject {
    const { resource, subresource, apiGroup, apiVersion, namespace, name } = this.#context.info;
    const named = this.object;
    return {
      resource,
      subresource,
      apiGroup,
      apiVersion,
      namespace: namespace || named?.namespace,
      name: name || named?.name,
      uid: named?.uid,
      resourceVersion: named?.resourceVersion,
    };
  }
}

/** The text of a User-Agent, cut to the bytes that the reference keeps. */
function userAgentOf(bytes: string): string {
  return textOfBytes(bytes.length > longestUserAgent ? `${bytes.slice(0, longestUserAgent)}...TRUNCATED` : bytes);
}
