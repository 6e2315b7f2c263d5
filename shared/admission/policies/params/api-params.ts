import type { ParamLister, ParamSource } from '#shared/admission/policies/contract/param-source.ts';
import { formatGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import type { OwnApiClient } from '#shared/webhooks/own-api-client.ts';
import { ApiParamLister } from './api-param-lister.ts';
import { UsedKinds } from './used-kinds.ts';

/** Policies are made effective one after the other, so a gateway that hangs must not hold up all of them. */
const discoveryMs = 1_000;

/**
 * Parameters of kinds that another process serves, by list and watch through a gateway: defaulted, pruned and
 * converted to the version of the `paramKind`, as every client gets them. What has been read stays known while no
 * gateway answers.
 */
export class ApiParams implements ParamSource {
  readonly #api: OwnApiClient;
  readonly #reportError: (message: string, error: unknown) => void;
  readonly #used = new UsedKinds<ApiParamLister>();

  constructor(api: OwnApiClient, reportError: (message: string, error: unknown) => void) {
    this.#api = api;
    this.#reportError = reportError;
  }

  async find(user: object, kind: GroupVersionKind): Promise<ParamLister | undefined> {
    this.#used.name(user, kind);
    const found = this.#used.get(kind);
    if (found !== undefined) return found;
    const resource = await this.#resourceOf(kind).catch(() => undefined);
    const known = this.#used.get(kind);
    if (known !== undefined || resource === undefined) return known;
    const lister = new ApiParamLister(this.#api, kind, resource, this.#reportError);
    this.#used.set(kind, lister);
    return lister;
  }

  keepOnly(user: object, kinds: readonly GroupVersionKind[]): void {
    this.#used.keepOnly(user, kinds);
  }

  close(): void {
    this.#used.closeAll();
  }

  async #resourceOf(kind: GroupVersionKind): Promise<{ path: string; namespaced: boolean } | undefined> {
    const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${formatGroupVersion(kind)}`;
    const { status, body } = await this.#api.get(root, AbortSignal.timeout(discoveryMs));
    if (status !== 200) return undefined;
    const list = asKubeObject((await inSlices(parseJson(body))) as JsonObject);
    const resource = objectsAt(list, 'resources').find(
      (one) => stringAt(one, 'kind') === kind.kind && !stringAt(one, 'name').includes('/'),
    );
    if (resource === undefined) return undefined;
    return { path: `${root}/${stringAt(resource, 'name')}`, namespaced: resource['namespaced'] === true };
  }
}
