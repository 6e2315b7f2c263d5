import { getKey } from '#shared/apimachinery/json/json.ts';
import { CaBundle } from '#shared/authentication/client-certificates/ca-bundle.ts';
import type { RequestAuthenticator } from '#shared/authentication/contract/authenticator.ts';
import { RequestHeaderAuthenticator } from '#shared/authentication/request-header.ts';
import { authenticatedGroupAdder } from '#shared/authentication/union.ts';
import type { CallApi } from './api-access.ts';

const configMap = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

export interface DelegatedAuthentication {
  readonly authenticator: RequestAuthenticator;
  /** The CA certificates of the front proxy, in PEM; clients are asked for a certificate from one of these CAs. */
  readonly clientCa: string;
}

/**
 * Authentication by the identity headers of the front proxy, which is verified with the CA in the ConfigMap
 * `extension-apiserver-authentication` as read at the start. Rejects if the ConfigMap cannot be read or holds no CA.
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
