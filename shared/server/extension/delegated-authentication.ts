import { getKey } from '../../apimachinery/json.ts';
import type { RequestAuthenticator } from '../../authentication/contract/authenticator.ts';
import { CaBundle } from '../../authentication/client-certificates/ca-bundle.ts';
import { RequestHeaderAuthenticator } from '../../authentication/request-header.ts';
import { authenticatedGroupAdder } from '../../authentication/union.ts';
import type { CallApi } from './api-access.ts';

const configMap = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

export interface DelegatedAuthentication {
  readonly authenticator: RequestAuthenticator;
  /** The front proxy's authorities, in PEM: clients are asked for a certificate of one of them. */
  readonly clientCa: string;
}

/**
 * Believes the identity headers of the front proxy, which it knows by what the ConfigMap
 * `extension-apiserver-authentication` says at the start. Rejects where that cannot be read or names no authority.
 */
export async function delegatedAuthentication(call: CallApi): Promise<DelegatedAuthentication> {
  const { data } = await call<{ readonly data?: Readonly<Record<string, string>> }>('GET', configMap);
  const list = (key: string): string[] => JSON.parse(getKey(data, key) ?? '[]') as string[];
  const clientCa = data?.['requestheader-client-ca-file'] ?? '';
  return {
    clientCa,
    authenticator: authenticatedGroupAdder(
      new RequestHeaderAuthenticator({
        bundle: new CaBundle({ name: configMap, text: clientCa }),
        allowedNames: list('requestheader-allowed-names'),
        usernameHeaders: list('requestheader-username-headers'),
        uidHeaders: list('requestheader-uid-headers'),
        groupHeaders: list('requestheader-group-headers'),
        extraHeaderPrefixes: list('requestheader-extra-headers-prefix'),
      }),
    ),
  };
}
