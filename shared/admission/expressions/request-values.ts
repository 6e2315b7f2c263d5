import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import type { GroupVersionResource } from '#shared/apimachinery/gvk.ts';
import type { Bindings } from '#shared/cel/eval/frame.ts';
import { CelAuthorizer, ResourceCheck, type AccessAuthorizer } from '#shared/cel/libraries/authorizer/access-checks.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import type { Value } from '#shared/cel/values/value.ts';
import { admissionRequest } from './admission-request.ts';
import { typedValue } from './typed-value.ts';

/** The variables that differ between the hooks, or between the expressions of one hook. */
export interface HookVariables {
  /** The resource that the hook has matched. */
  readonly resource: GroupVersionResource;
  /** Null where the hook has no parameter. */
  readonly params: Value;
  readonly namespaceObject: Value;
  /** Whether the expressions may ask the authorizer. */
  readonly authorizer: boolean;
}

/**
 * The variables of admission expressions for a request in one version. Hooks share the values, each of which is made
 * when an expression first reads it.
 */
export class RequestValues {
  readonly versioned: VersionedAttributes;
  readonly #authorizer: AccessAuthorizer;
  readonly #requests = new Map<string, Value>();
  #object: Value | undefined;
  #oldObject: Value | undefined;

  constructor(versioned: VersionedAttributes, authorizer: AccessAuthorizer) {
    this.versioned = versioned;
    this.#authorizer = authorizer;
  }

  bindings(hook: HookVariables): Bindings {
    return { get: (name) => this.#read(name, hook) };
  }

  #read(name: string, hook: HookVariables): Value | undefined {
    switch (name) {
      case 'object':
        return (this.#object ??= typedValue(this.versioned.schema, this.versioned.object));
      case 'oldObject':
        return (this.#oldObject ??= typedValue(this.versioned.schema, this.versioned.oldObject));
      case 'request':
        return this.#request(hook.resource);
      case 'params':
        return hook.params;
      case 'namespaceObject':
        return hook.namespaceObject;
      case 'authorizer':
        return hook.authorizer ? new CelAuthorizer(this.#authorizer) : undefined;
      case 'authorizer.requestResource':
        return hook.authorizer ? this.#requestResource() : undefined;
      default:
        return undefined;
    }
  }

  #request(resource: GroupVersionResource): Value {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    let value = this.#requests.get(key);
    if (value === undefined) {
      value = jsonValue(admissionRequest(this.versioned.attributes, this.versioned.kind, resource));
      this.#requests.set(key, value);
    }
    return value;
  }

  #requestResource(): ResourceCheck {
    const { resource, subresource, namespace, name } = this.versioned.attributes;
    return new ResourceCheck(this.#authorizer, {
      group: resource.group,
      resource: resource.resource,
      subresource,
      namespace,
      name,
    });
  }
}
