import { clusterAuthenticationConfigMap, clusterAuthenticationData } from '../../../shared/authentication/cluster-authentication-info.ts';
import type { Authentication } from '../../../shared/authentication/create-authenticator.ts';
import type { KubeObject } from '../../../shared/apimachinery/object.ts';
import type { ServerOptions } from '../../../shared/server/options/server-options.ts';
import type { CoreContext } from '../core-context.ts';
import { ensureConfigMap } from './ensure-object.ts';
import { systemContext } from './system-context.ts';

/** Post-start hook `start-cluster-authentication-info-controller`: how extension servers recognize the gateway. */
export async function ensureAuthenticationConfig(core: CoreContext, options: ServerOptions, authentication: Authentication): Promise<void> {
  const data = clusterAuthenticationData({
    clientCaPem: authentication.clientCa?.pem ?? '',
    requestHeaderCaPem: authentication.requestHeaderCa?.pem ?? '',
    requestHeaderAllowedNames: options.requestheaderAllowedNames,
    requestHeaderExtraPrefixes: options.requestheaderExtraHeadersPrefix,
    requestHeaderGroupHeaders: options.requestheaderGroupHeaders,
    requestHeaderUidHeaders: options.requestheaderUidHeaders,
    requestHeaderUsernameHeaders: options.requestheaderUsernameHeaders,
  });
  const name = clusterAuthenticationConfigMap;
  const namespace = 'kube-system';
  if (await ensureConfigMap(core, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data })) return;
  await core.store('', 'configmaps').update(systemContext(namespace), {
    name, subresource: '', retryOnConflict: true,
    transform(existing) {
      const present = existing as KubeObject;
      present['data'] = data;
      return present;
    },
  });
}
