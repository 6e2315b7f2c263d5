import { setTimeout as sleep } from 'node:timers/promises';
import type { LabelFilter, Param, ParamLister } from '#shared/admission/policies/contract/param-source.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { jsonValue } from '#shared/cel/values/json-value.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import type { OwnApiClient } from '#shared/webhooks/own-api-client.ts';

const pageSize = 100;
const retryMs = 300;
/** A gateway that does not answer for so long hangs; another one may answer the next attempt. */
const listMs = 30_000;
/** A watch ends after this time and is opened again, so that a connection that died is noticed. */
const watchSeconds = 240;

/** The objects of one kind, which a gateway lists and watches. */
export class ApiParamLister implements ParamLister {
  readonly namespaced: boolean;
  readonly #api: OwnApiClient;
  readonly #kind: GroupVersionKind;
  readonly #path: string;
  readonly #reportError: (message: string, error: unknown) => void;
  readonly #ended = new AbortController();
  readonly #listed = Promise.withResolvers<void>();
  /** Namespace → name → parameter; undefined before the first list. */
  #params: Map<string, Map<string, Param>> | undefined;

  constructor(
    api: OwnApiClient,
    kind: GroupVersionKind,
    { path, namespaced }: { readonly path: string; readonly namespaced: boolean },
    reportError: (message: string, error: unknown) => void,
  ) {
    this.namespaced = namespaced;
    this.#api = api;
    this.#kind = kind;
    this.#path = path;
    this.#reportError = reportError;
    // Few wait for it.
    this.#listed.promise.catch(() => undefined);
    void this.#follow();
  }

  /** Not once it is closed: objects that are not followed any more must not be taken for present ones. */
  isReady(): boolean {
    return this.#params !== undefined && !this.#ended.signal.aborted;
  }

  ready(): Promise<void> {
    return this.#listed.promise;
  }

  get(namespace: string, name: string): Param | undefined {
    return this.#params?.get(namespace)?.get(name);
  }

  list(namespace: string, isWanted: LabelFilter): readonly Param[] {
    const params = [...(this.#params?.get(namespace)?.values() ?? [])];
    return params
      .filter(({ object }) => isWanted(object.metadata.labels))
      .sort((a, b) => compareUtf8(a.object.metadata.name ?? '', b.object.metadata.name ?? ''));
  }

  close(): void {
    this.#ended.abort();
    this.#listed.reject(new Error('closed'));
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        let revision: string | undefined = await this.#readAll();
        while (revision !== undefined) revision = await this.#watchFrom(revision);
      } catch (error) {
        if (signal.aborted) return;
        this.#reportError(`Failed to list or watch ${this.#path}; trying again`, error);
      }
      await sleep(retryMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Returns the resource version of the list. */
  async #readAll(): Promise<string> {
    const params = new Map<string, Map<string, Param>>();
    for (let next = ''; ;) {
      const query = `limit=${pageSize}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
      const { status, body } = await this.#api.get(`${this.#path}?${query}`, this.#endedOrAfter(listMs));
      if (status !== 200) throw new Error(`the list was answered with ${status}`);
      const page = await inSlices(parseJson(body));
      const list = asKubeObject(isObject(page) ? page : {});
      for (const item of objectsAt(list, 'items')) put(params, this.#paramOf(item));
      next = stringAt(list, 'metadata', 'continue');
      if (next !== '') continue;
      this.#params = params;
      this.#listed.resolve();
      return stringAt(list, 'metadata', 'resourceVersion');
    }
  }

  /** Returns where the next watch begins; undefined if the objects have to be listed again. */
  async #watchFrom(revision: string): Promise<string | undefined> {
    let last = revision;
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${watchSeconds}&resourceVersion=${revision}`;
    const signal = this.#endedOrAfter(watchSeconds * 1000 + listMs);
    for await (const line of this.#api.lines(`${this.#path}?${query}`, signal)) {
      if (line === '') continue;
      const event: JsonValue = await inSlices(parseJson(Buffer.from(line)));
      if (!isObject(event) || !isObject(event['object'])) throw new Error(`no event: ${line.slice(0, 200)}`);
      if (event['type'] === 'ERROR') return undefined;
      const object = asKubeObject(event['object']);
      last = object.metadata.resourceVersion ?? last;
      if (event['type'] === 'BOOKMARK' || this.#params === undefined) continue;
      const { namespace = '', name = '' } = object.metadata;
      if (event['type'] === 'DELETED') this.#params.get(namespace)?.delete(name);
      else put(this.#params, this.#paramOf(object));
    }
    return last;
  }

  #endedOrAfter(ms: number): AbortSignal {
    return AbortSignal.any([this.#ended.signal, AbortSignal.timeout(ms)]);
  }

  #paramOf(item: JsonObject): Param {
    const object = asKubeObject(item);
    object.apiVersion = formatGroupVersion(this.#kind);
    object.kind = this.#kind.kind;
    return { object, value: jsonValue(object) };
  }
}

function put(params: Map<string, Map<string, Param>>, param: Param): void {
  const { namespace = '', name = '' }: KubeObject['metadata'] = param.object.metadata;
  const held = params.get(namespace);
  if (held === undefined) params.set(namespace, new Map([[name, param]]));
  else held.set(name, param);
}
