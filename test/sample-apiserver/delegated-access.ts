import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestAuthenticator } from '../../shared/authentication/contract/authenticator.ts';
import { CaBundle } from '../../shared/authentication/client-certificates/ca-bundle.ts';
import { RequestHeaderAuthenticator } from '../../shared/authentication/request-header.ts';
import { authenticatedGroupAdder } from '../../shared/authentication/union.ts';
import type { Authorizer } from '../../shared/authorization/contract/authorizer.ts';
import { mastersAuthorizer, unionAuthorizer } from '../../shared/authorization/union.ts';
import { callApi } from './api-access.ts';
import type { ApiAccess } from './api-access.ts';

const configMap = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

export interface RequestHeaderAccess {
  readonly authenticator: RequestAuthenticator;
  /** The front proxy's authorities, in PEM. */
  readonly clientCa: string;
}

/** Believes the gateway, which it knows by what `extension-apiserver-authentication` says. */
export async function requestHeaderAccess(api: ApiAccess): Promise<RequestHeaderAccess> {
  const { data } = await callApi<{ data: Record<string, string> }>(api, 'GET', configMap);
  const list = (key: string): string[] => JSON.parse(data[key] ?? '[]') as string[];
  const clientCa = data['requestheader-client-ca-file'] ?? '';
  return {
    clientCa,
    authenticator: authenticatedGroupAdder(
      new RequestHeaderAuthenticator({
        bundle: bundleOf(clientCa),
        allowedNames: list('requestheader-allowed-names'),
        usernameHeaders: list('requestheader-username-headers'),
        uidHeaders: list('requestheader-uid-headers'),
        groupHeaders: list('requestheader-group-headers'),
        extraHeaderPrefixes: list('requestheader-extra-headers-prefix'),
      }),
    ),
  };
}

/** Asks the API by SubjectAccessReviews, as every extension server does. */
export function delegatedAuthorizer(api: ApiAccess): Authorizer {
  const asking: Authorizer = {
    async authorize({
      user,
      verb,
      resourceRequest,
      apiGroup,
      apiVersion,
      resource,
      subresource,
      namespace,
      name,
      path,
    }) {
      const spec = {
        user: user.name,
        groups: user.groups,
        uid: user.uid,
        extra: user.extra,
        ...(resourceRequest
          ? {
              resourceAttributes: {
                verb,
                group: apiGroup,
                version: apiVersion,
                resource,
                subresource,
                namespace,
                name,
              },
            }
          : { nonResourceAttributes: { verb, path } }),
      };
      const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
      const { status } = await callApi<{ status: { allowed: boolean; reason?: string } }>(
        api,
        'POST',
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        review,
      );
      return { decision: status.allowed ? 'allow' : 'noOpinion', reason: status.reason ?? '' };
    },
  };
  return unionAuthorizer([mastersAuthorizer, asking]);
}

function bundleOf(pem: string): CaBundle {
  const folder = mkdtempSync(join(tmpdir(), 'sample-apiserver-'));
  try {
    const path = join(folder, 'ca.crt');
    writeFileSync(path, pem);
    return new CaBundle(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
