import { loadDescriptions } from '../../shared/api/descriptions.ts';
import type { Facts } from '../../shared/api/facts.ts';
import type { Authentication } from '../../shared/authentication/create-authenticator.ts';
import {
  jwksPath,
  openidConfigurationPath,
  openidHandlers,
} from '../../shared/authentication/service-account/openid-discovery.ts';
import { versionsServedBy } from '../../shared/endpoints/discovery/registered-versions.ts';
import { refuseOtherMethods } from '../../shared/endpoints/get-only.ts';
import { OpenApiDocuments } from '../../shared/endpoints/openapi/openapi-documents.ts';
import { installOpenApi } from '../../shared/server/assembly/open-api-paths.ts';
import { checkRepresentations } from '../../shared/serializer/negotiate.ts';
import type { RestResources } from '../../shared/registry/create-rest-resources.ts';
import { effectiveVersion } from '../../shared/server/options/effective-version.ts';
import { servesCbor } from '../../shared/server/options/feature-gates.ts';
import type { ServerOptions } from '../../shared/server/options/server-options.ts';
import type { PathMux } from '../../shared/server/path-mux.ts';
import { versionInfo } from '../../shared/server/options/version-info.ts';

export interface FixedPathParts {
  readonly facts: Facts;
  readonly rest: RestResources;
  readonly authentication: Authentication;
  readonly options: ServerOptions;
  /** Host and port under which the API is advertised. */
  readonly address: string;
}

/** OpenAPI documents and the keys of service-account tokens. */
export function installFixedPaths(
  mux: PathMux,
  { facts, rest, authentication, options, address }: FixedPathParts,
): void {
  installOpenApi(
    mux,
    new OpenApiDocuments(
      {
        facts,
        describe: loadDescriptions(),
        apiVersion: effectiveVersion(options).emulation,
        cbor: servesCbor(options),
      },
      versionsServedBy(rest),
      versionInfo.gitVersion,
    ),
  );
  const jwksUri = options.serviceAccountJwksUri || `https://${address}${jwksPath}`;
  const openid = openidHandlers(options.serviceAccountIssuer[0] ?? '', jwksUri, authentication.serviceAccountKeys);
  mux.handleService(openidConfigurationPath, (context) => {
    refuseOtherMethods(context);
    return openid.configuration(context);
  });
  mux.handleService(jwksPath, (context) => {
    refuseOtherMethods(context);
    checkRepresentations(context.exchange.headers['accept'] as string | undefined, ['application/jwk-set+json']);
    return openid.jwks(context);
  });
}
