import type { AdmissionAttributes, AdmissionOperation } from '#shared/admission/contract/admission.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject, ObjectMeta } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeManagedFields, ManagedFieldsError } from '#shared/registry/field-management/managed-fields.ts';
import { atOncePace, type Pace } from '#shared/registry/pace.ts';
import type { SettledOptions } from '#shared/registry/resource-store.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { noteWebhookTime } from '#shared/request/webhook-time.ts';
import { activeSpan, runInSpan } from '#shared/spans/active-span.ts';
import type { RequestScope } from './request-scope.ts';
import { ScopeVersions } from './scope-versions.ts';

/** The request's options, as passed to plugins. */
export interface AdmittedOptions {
  /** The options as a client sends them. */
  readonly asObject: JsonObject;
  readonly dryRun: boolean;
}

/** Admission of one request; without a plugin for the operation, no attributes are built. */
export class RequestAdmission {
  readonly #context: RequestContext;
  readonly #scope: RequestScope;
  readonly #options: AdmittedOptions;
  readonly #operation: OperationContext | undefined;
  readonly #pace: Pace;
  /** Webhooks are called for the verb, also where its storage asks for them. */
  readonly #verb = activeSpan();
  /** By operation: rules that change meanwhile act on later requests, so that no half of a request is admitted. */
  readonly #handled = new Map<AdmissionOperation, boolean>();
  readonly #noteWebhookMs = (ms: number): void => noteWebhookTime(this.#context, ms);
  readonly #addWarning = (text: string): void => this.#context.addWarning(text);
  readonly #addAuditAnnotation: AdmissionAttributes['addAuditAnnotation'] = (key, value, level) => {
    const { audit } = this.#context;
    if (level !== 'Request' || audit?.keepsRequest === true) audit?.annotate(key, value);
  };

  /** @param operation absent for a connection */
  constructor(
    context: RequestContext,
    scope: RequestScope,
    options: AdmittedOptions,
    operation: OperationContext | undefined,
  ) {
    this.#context = context;
    this.#scope = scope;
    this.#options = options;
    this.#operation = operation;
    this.#pace = operation?.pace ?? atOncePace;
  }

  handles(operation: AdmissionOperation): boolean {
    if (this.#pace.yields) return true;
    const known = this.#handled.get(operation);
    if (known !== undefined) return known;
    const handled = this.#scope.env.admission.handles(operation, this.#scope.gvr);
    this.#handled.set(operation, handled);
    return handled;
  }

  /** Mutating plugins may change the object in place. */
  async admit(
    operation: AdmissionOperation,
    object: KubeObject | undefined,
    oldObject: KubeObject | undefined,
    name: string,
  ): Promise<void> {
    if (!this.handles(operation)) return;
    const before = object?.metadata?.managedFields;
    await this.#ask('admit', this.#attributes(operation, object, oldObject, name));
    if (object?.metadata !== undefined && object.metadata.managedFields !== before)
      this.#checkManagers(object.metadata, before);
    await this.#pace.between();
  }

  /** Restores the previous managedFields where a plugin has left invalid ones. */
  #checkManagers(metadata: ObjectMeta, before: ObjectMeta['managedFields']): void {
    try {
      atOnce(decodeManagedFields(metadata.managedFields));
    } catch (error) {
      if (!(error instanceof ManagedFieldsError)) throw error;
      if (before === undefined) delete metadata.managedFields;
      else metadata.managedFields = before;
      this.#context.addWarning(
        `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
      );
    }
  }

  async validate(
    operation: AdmissionOperation,
    object: KubeObject | undefined,
    oldObject: KubeObject | undefined,
    name: string,
  ): Promise<void> {
    if (!this.handles(operation)) return;
    await this.#ask('validate', this.#attributes(operation, object, oldObject, name, false));
    await this.#pace.between();
  }

  /**
   * Admits a deletion: mutating and validating in one call, since there is no object to change.
   *
   * @param oldObject makes the object for admission, which is asked for it where a plugin looks at it
   * @param settled members of the options that the store has settled
   */
  async delete(oldObject: () => KubeObject, name: string, settled: SettledOptions = {}): Promise<void> {
    if (!this.handles('DELETE')) return;
    const asked = this.#attributes('DELETE', undefined, undefined, name);
    const attributes: AdmissionAttributes = {
      ...asked,
      options: { ...asked.options, ...(settled as JsonObject) },
      get oldObject() {
        return oldObject();
      },
    };
    await this.#ask('admit', attributes);
    await this.#ask('validate', attributes);
  }

  #ask(phase: 'admit' | 'validate', attributes: AdmissionAttributes): Promise<void> {
    const { admission } = this.#scope.env;
    const verb = this.#verb;
    return verb === undefined ? admission[phase](attributes) : runInSpan(verb, () => admission[phase](attributes));
  }

  /** @param showsManagers whether hooks of users see the field managers of a view, such as a Scale: mutating ones do */
  #attributes(
    operation: AdmissionOperation,
    object: KubeObject | undefined,
    oldObject: KubeObject | undefined,
    name: string,
    showsManagers = true,
  ): AdmissionAttributes {
    const context = this.#context;
    const scope = this.#scope;
    return {
      operation,
      kind: scope.kind,
      resource: scope.gvr,
      subresource: scope.subresource?.facts.name ?? '',
      // For admission the namespace of a Namespace is its own name, as in RequestInfo.
      namespace: context.info.namespace === '' && isNamespaces(scope) ? name : context.info.namespace,
      name,
      object,
      oldObject,
      options: optionsOf(operation, this.#options.asObject),
      dryRun: this.#options.dryRun,
      user: context.user,
      deadlineMs: context.deadlineMs,
      exchange: context.exchange,
      versions: new ScopeVersions(scope, this.#operation, showsManagers),
      recorder: context.admissionRecorder,
      audit: context.audit,
      noteWebhookMs: this.#noteWebhookMs,
      addWarning: this.#addWarning,
      addAuditAnnotation: this.#addAuditAnnotation,
    };
  }
}

/** A patch updates with UpdateOptions for admission, and what creates by PUT or PATCH has CreateOptions. */
function optionsOf(operation: AdmissionOperation, options: JsonObject): JsonObject {
  const kind = operation === 'CREATE' ? 'CreateOptions' : operation === 'UPDATE' ? 'UpdateOptions' : options['kind'];
  if (kind === undefined || options['kind'] === kind) return options;
  const { force: _, ...others } = options;
  return { ...others, kind };
}

export function isNamespaces(scope: RequestScope): boolean {
  return scope.resource.group === '' && scope.resource.resource === 'namespaces';
}
