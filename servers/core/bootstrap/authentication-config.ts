import type { CoreContext } from '#servers/core/context/core-context.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import {
  clusterAuthenticationConfigMap as name,
  type ClusterAuthenticationInfo,
} from '#shared/authentication/cluster-authentication-info.ts';
import type { Authentication } from '#shared/authentication/create-authenticator.ts';
import type { PrefixFollower } from '#shared/follow/follow-prefix.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { decodeStored } from '#shared/serializer/codec.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { combinedAuthenticationData } from './combined-authentication.ts';
import { ensureConfigMap } from './ensure-object.ts';
import { followStored } from './follow-stored.ts';

const namespace = 'kube-system';
const everyMs = 60_000;

/**
 * Maintains the ConfigMap by which extension servers authenticate the gateway: at the start, each minute, and whenever
 * it is changed or deleted.
 */
export class AuthenticationConfigController {
  readonly #core: CoreContext;
  readonly #onError: (error: unknown) => void;
  readonly #rounds: Reconciler;
  #follower: PrefixFollower | undefined;

  constructor(core: CoreContext, info: () => ClusterAuthenticationInfo, onError: (error: unknown) => void) {
    this.#core = core;
    this.#onError = onError;
    this.#rounds = new Reconciler({ round: () => ensureAuthenticationConfig(core, info()), everyMs, onError });
  }

  /**
   * Resolves after the first round, even if it fails, for example on a ConfigMap that cannot be parsed: a failed round
   * is tried again and does not keep the server from being ready.
   */
  async start(): Promise<void> {
    await this.#rounds.run();
    this.#rounds.begin();
    this.#follower = followStored(
      this.#core,
      { group: '', resource: 'configmaps', namespace, name },
      () => this.#rounds.request(),
      this.#onError,
    );
  }

  /** Called when the contents of the files have changed. */
  again(): void {
    this.#rounds.request();
  }

  async close(): Promise<void> {
    this.#follower?.close();
    await this.#rounds.close();
  }
}

/** The authentication settings from this server's flags and files. */
export function authenticationInfo(options: ServerOptions, authentication: Authentication): ClusterAuthenticationInfo {
  return {
    clientCaPem: authentication.clientCa?.pem ?? '',
    requestHeaderCaPem: authentication.requestHeaderCa?.pem ?? '',
    requestHeaderAllowedNames: options.requestheaderAllowedNames,
    requestHeaderExtraPrefixes: options.requestheaderExtraHeadersPrefix,
    requestHeaderGroupHeaders: options.requestheaderGroupHeaders,
    requestHeaderUidHeaders: options.requestheaderUidHeaders,
    requestHeaderUsernameHeaders: options.requestheaderUsernameHeaders,
  };
}

async function ensureAuthenticationConfig(core: CoreContext, info: ClusterAuthenticationInfo): Promise<void> {
  const context = systemContext({ namespace });
  const wanted = (present: ReadonlyMap<string, string>): Record<string, string> =>
    combinedAuthenticationData(present, info, context.nowMs);
  const store = core.store('', 'configmaps');
  // Read from storage, not from the cache: there may be very many ConfigMaps, and nothing else needs them at the start.
  const { kv } = await core.storage.get(store.key(namespace, name));
  if (kv === undefined) {
    await ensureConfigMap(core, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace },
      data: wanted(new Map()),
    });
    return;
  }
  const present = stringMapAt(atOnce(decodeStored(loadFacts(), kv.value)).object, 'data');
  const data = wanted(present);
  if (
    present.size === Object.keys(data).length &&
    Object.entries(data).every(([key, value]) => present.get(key) === value)
  )
    return;
  await store.update(
    {
      name,
      subresource: '',
      transform: (existing) => Object.assign(existing as KubeObject, { data: wanted(stringMapAt(existing, 'data')) }),
    },
    context,
  );
}
