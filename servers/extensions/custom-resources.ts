import { serveRoute } from '#shared/endpoints/create-resource-handler.ts';
import type { RegisteredVersion } from '#shared/endpoints/discovery/api-group-discovery.ts';
import type { HandlerDependencies, EndpointResources } from '#shared/endpoints/request/handler-dependencies.ts';
import { sendNotFound } from '#shared/endpoints/responders/not-found.ts';
import type { MalformedObjects } from '#shared/registry/malformed-objects.ts';
import type { CountedResource } from '#shared/registry/object-counts.ts';
import type { ReadAtRevision } from '#shared/registry/read-at-revision.ts';
import type { RestResource } from '#shared/registry/rest.ts';
import { leaveUncounted } from '#shared/request/leave-uncounted.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { customResourceRoute, isServedAt } from './custom-resource-routes.ts';
import { addVersionWarning } from './custom-resource-warnings.ts';
import { CustomResource, type CompileSchema, type CustomResourceOptions } from './custom-resource.ts';
import { discoveredFacts } from './facts/custom-resource-facts.ts';
import type { DefinitionView } from './facts/definition-view.ts';
import { forbidCreate } from './terminating-admission.ts';

/** The definitions that this process has read so far. */
export interface DefinitionSource {
  get(name: string): DefinitionView | undefined;
  /**
   * Calls the listener after each change, and at once for each known definition. `view` is undefined for a deleted
   * definition.
   */
  subscribe(listener: (name: string, view: DefinitionView | undefined) => void): void;
  /** Resolves when all definitions that were written before the call are known. */
  current(): Promise<void>;
}

export interface CustomResourcesOptions extends Pick<
  HandlerDependencies,
  | 'facts'
  | 'admission'
  | 'authorizeVerb'
  | 'minRequestTimeoutSeconds'
  | 'deleteCollectionWorkers'
  | 'wholeAtZero'
  | 'shards'
  | 'mediaTypes'
  | 'maxBodyBytes'
> {
  readonly storage: Storage;
  readonly feed: DefinitionSource;
  readonly compile: CompileSchema;
  readonly storesCbor?: boolean;
  /** `--enable-garbage-collector`; default: yes. */
  readonly garbageCollection?: boolean;
  readonly callConversionWebhook: CustomResourceOptions['callConversionWebhook'];
  readonly malformed?: MalformedObjects;
  readonly checksCaches?: boolean;
  readonly reportError: CustomResourceOptions['reportError'];
}

/** A definition, and the resource that serves it. */
interface Served {
  readonly definition: DefinitionView;
  readonly resource: CustomResource;
}

/** The cache of a replaced resource is closed after this time, so that requests in progress can finish. */
const retireMs = 100;
/** How long a request waits for a new definition to be established. */
const establishingMs = 1000;

/**
 * All custom resources that this process serves. A definition whose spec changes gets a new resource with a new cache;
 * all other definitions keep their resources and caches.
 */
export class CustomResources implements EndpointResources {
  readonly #options: CustomResourceOptions;
  readonly #feed: DefinitionSource;
  readonly #env: HandlerDependencies;
  readonly #served = new Map<string, Served>();
  #waiting: (() => void)[] = [];
  #registered: readonly RegisteredVersion[] | undefined;

  constructor(options: CustomResourcesOptions) {
    this.#options = options;
    this.#feed = options.feed;
    const admission = forbidCreate(
      options.admission,
      (group, resource) => this.#servedOf(group, resource)?.definition.terminating === true,
    );
    this.#env = { ...options, resources: this, admission };
    options.feed.subscribe((name, definition) => this.#take(name, definition));
  }

  /** Serves the requests of custom resources; all other requests get the plain 404. */
  readonly handler: Handler = (context) => {
    const rest = context.info.isResourceRequest ? this.#lookUp(context) : undefined;
    if (rest !== undefined) return this.#serve(context, rest);
    if (!context.info.isResourceRequest) {
      sendNotFound(context);
      return;
    }
    return this.#serveAfterRefresh(context);
  };

  /** The established resources, to be counted. */
  *counted(): Iterable<CountedResource> {
    for (const { definition, resource } of this.#served.values()) if (definition.established) yield resource.counted;
  }

  find(group: string, version: string, resource: string): RestResource | undefined {
    const served = this.#servedOf(group, resource);
    return served?.definition.established === true ? served.resource.find(version) : undefined;
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.registered().some((known) => known.group === group && known.version === version);
  }

  readAtRevision(group: string, resource: string): ReadAtRevision {
    const served = this.#servedOf(group, resource);
    if (served === undefined) throw new Error(`${resource}.${group} is not served`);
    return served.resource.readAtRevision;
  }

  /** The served versions for discovery; returns the same array until a definition changes. */
  registered(): readonly RegisteredVersion[] {
    return (this.#registered ??= this.#register());
  }

  /** The established definitions. */
  *definitions(): Iterable<DefinitionView> {
    for (const { definition } of this.#served.values()) if (definition.established) yield definition;
  }

  close(): void {
    for (const { resource } of this.#served.values()) resource.close();
  }

  /**
   * Finds a definition by resource and group. The joined name alone is ambiguous: resource `b.c` in group `d` would
   * find the definition of `b` in group `c.d`, although the request was authorized for another resource. (The reference
   * serves such a request: customresource_handler.go looks up the joined name alone.)
   */
  #servedOf(group: string, resource: string): Served | undefined {
    const served = this.#served.get(`${resource}.${group}`);
    return served?.definition.group === group ? served : undefined;
  }

  #lookUp({ info }: RequestContext): RestResource | undefined {
    return this.find(info.apiGroup, info.apiVersion, info.resource);
  }

  #serve(context: RequestContext, rest: RestResource): void | Promise<void> {
    if (!isServedAt(rest, context.info)) {
      leaveUncounted(context);
      sendNotFound(context);
      return;
    }
    // The deprecation warning is sent even if the request fails.
    const served = this.#servedOf(context.info.apiGroup, context.info.resource);
    if (served !== undefined) addVersionWarning(context, served.definition, rest.facts.version);
    return serveRoute(context, customResourceRoute(rest, context, this.#env));
  }

  /**
   * Reads the newest definitions and looks the resource up again: another process may have just created its
   * definition.
   */
  async #serveAfterRefresh(context: RequestContext): Promise<void> {
    await this.#feed.current();
    const { info } = context;
    const name = `${info.resource}.${info.apiGroup}`;
    for (
      const end = performance.now() + establishingMs;
      this.#isComing(info.apiGroup, name, info.apiVersion) && performance.now() < end;
    )
      await this.#change(end);
    const rest = this.#lookUp(context);
    if (rest !== undefined) return await this.#serve(context, rest);
    leaveUncounted(context);
    sendNotFound(context);
  }

  /** Whether a definition of this version exists that may still be established. */
  #isComing(group: string, name: string, version: string): boolean {
    const view = this.#feed.get(name);
    return (
      view !== undefined &&
      view.group === group &&
      !view.established &&
      !view.refused &&
      !view.terminating &&
      view.versions.some((known) => known.name === version && known.served)
    );
  }

  #change(end: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, end - performance.now()));
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #take(name: string, definition: DefinitionView | undefined): void {
    const known = this.#served.get(name);
    if (definition === undefined) {
      this.#served.delete(name);
      if (known !== undefined) retire(known.resource);
    } else if (known !== undefined && isSame(known.definition, definition)) {
      known.resource.follow(definition);
      this.#served.set(name, { definition, resource: known.resource });
    } else {
      this.#served.set(name, { definition, resource: new CustomResource(this.#options, definition) });
      if (known !== undefined) retire(known.resource);
    }
    this.#registered = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #register(): RegisteredVersion[] {
    const versions = new Map<string, RegisteredVersion & { resources: RegisteredVersion['resources'][number][] }>();
    for (const definition of this.definitions()) {
      for (const version of definition.versions) {
        if (!version.served) continue;
        const { group } = definition;
        const key = `${group}/${version.name}`;
        const known = versions.get(key) ?? { group, version: version.name, resources: [], namesOwnKinds: true };
        known.resources.push(discoveredFacts(definition, version));
        versions.set(key, known);
      }
    }
    return [...versions.values()];
  }
}

/** Whether two definitions agree in all parts that a resource is made from. */
function isSame(a: DefinitionView, b: DefinitionView): boolean {
  return a.revision === b.revision || (a.uid === b.uid && partsOf(a) === partsOf(b));
}

function partsOf({
  group,
  namespaced,
  names,
  versions,
  storageVersion,
  preserveUnknownFields,
  conversion,
}: DefinitionView): string {
  return JSON.stringify([group, namespaced, names, versions, storageVersion, preserveUnknownFields, conversion]);
}

/** Ends the watches of a replaced resource, so that clients list again. */
function retire(resource: CustomResource): void {
  setTimeout(() => resource.close(), retireMs).unref();
}
