import { WarningRecorder } from '#shared/filters/warning-recorder.ts';
import type { AdmissionRecorder } from '#shared/request/admission-step.ts';
import type { CountedAs } from '#shared/request/counted-as.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { FlowFacts } from '#shared/request/flow-facts.ts';
import { noParameters } from '#shared/request/query-parameters.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import type { RequestContext, RequestEnd } from '#shared/request/request-context.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { WatchStartSignal } from '#shared/request/watch-start.ts';

const nobody: UserInfo = Object.freeze({
  name: '',
  uid: '',
  groups: Object.freeze([]) as readonly string[],
  extra: Object.freeze({}),
});

const nothing: RequestInfo = Object.freeze({
  isResourceRequest: false,
  path: '',
  verb: '',
  apiPrefix: '',
  apiGroup: '',
  apiVersion: '',
  namespace: '',
  pathVerb: '',
  belowNamespace: false,
  resource: '',
  subresource: '',
  name: '',
  parts: [],
  fieldSelector: '',
  labelSelector: '',
  query: noParameters,
});

/** The context of one request before the chain has filled it in. Rarely needed parts are made at their first use. */
export class RequestState implements RequestContext {
  readonly exchange: Exchange;
  receivedAtMs: number;
  filterStartedMs = 0;
  auditId = '';
  info = nothing;
  user = nobody;
  impersonator?: UserInfo;
  deadlineMs?: number;
  longRunning = false;
  admissionRecorder?: AdmissionRecorder;
  flow?: FlowFacts;
  watchStart?: WatchStartSignal;
  loggedMs?: [key: string, ms: number][];
  audit?: RequestAudit;
  countedAs?: CountedAs | undefined;
  queuedMs?: number;
  webhookMs?: number;
  endedBy?: RequestEnd;
  authenticationAnnotations?: readonly (readonly [key: string, value: string])[];
  #warnings: WarningRecorder | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.receivedAtMs = performance.now();
  }

  addWarning(text: string): void {
    (this.#warnings ??= new WarningRecorder(this.exchange)).add(text);
  }
}
