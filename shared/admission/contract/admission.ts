import type { GroupResource, GroupVersionKind, GroupVersionResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { AdmissionRecorder } from '#shared/request/admission-step.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { ObjectVersions } from './object-versions.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One write on its way through admission (apiserver/pkg/admission). */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** May be changed in place by mutating plugins. Absent on DELETE. */
  readonly object?: KubeObject | undefined;
  /** Never changed. Absent on CREATE. */
  readonly oldObject?: KubeObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions in JSON shape. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** When the request has to be answered, by `performance.now()`; absent for a connection. */
  readonly deadlineMs?: number | undefined;
  /** Closes when the client disconnects: nobody waits for what webhooks say then. */
  readonly exchange?: Pick<Exchange, 'closed' | 'onClose'> | undefined;
  /** How the two objects look in other versions, for the hooks of users. */
  readonly versions: ObjectVersions;
  /** Takes each step, where somebody asked for them. */
  readonly recorder?: AdmissionRecorder | undefined;
  /** Takes the time that webhooks take, where the request is audited. */
  readonly audit?: RequestAudit | undefined;
  /** Takes how long the request waited for webhooks, ms; several times are added up. */
  readonly noteWebhookMs?: ((ms: number) => void) | undefined;
  addWarning(text: string): void;
  /** @param level the level from which events hold it. Default: Metadata */
  addAuditAnnotation(key: string, value: string, level?: 'Metadata' | 'Request'): void;
}

/**
 * The rounds of the mutating plugins in one request (upstream's ReinvocationContext). When a plugin of users' rules has
 * changed the object, all mutating plugins run once more.
 */
export interface AdmissionRounds {
  /** True in the second round. */
  readonly isSecond: boolean;
  /** Asks for the second round; in that round it has no effect. */
  requestSecond(): void;
  /** What a plugin keeps between the two rounds, by its name. */
  readonly kept: Map<string, unknown>;
}

/** A plugin refuses by throwing a StatusError. */
export interface AdmissionPlugin {
  readonly name: string;
  /**
   * Whether the plugin may handle this operation on this resource or one of its subresources. The chain remembers the
   * answer. A plugin whose answers change says so through {@link onHandlesChanged}.
   */
  handles(operation: AdmissionOperation, resource: GroupResource): boolean;
  /**
   * Takes the function to be called after answers of {@link handles} may have changed. Requests that have begun go on
   * with the previous answers.
   */
  onHandlesChanged?(changed: () => void): void;
  admit?(attributes: AdmissionAttributes, rounds: AdmissionRounds): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
  /** For health checks and the start: resolves when the plugin's caches are warm. */
  ready?(): Promise<void>;
}

/** The enabled plugins in the reference's fixed order. */
export interface AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];
  /** False if no plugin handles this operation on this resource; the caller then need not make attributes. */
  handles(operation: AdmissionOperation, resource: GroupResource): boolean;
  admit(attributes: AdmissionAttributes): Promise<void>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}
