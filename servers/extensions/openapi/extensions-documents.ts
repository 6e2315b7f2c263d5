import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { extensionsGroup } from '#servers/extensions/facts/extension-facts.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import { effectiveVersion } from '#shared/server/options/effective-version.ts';
import { servesCbor } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { versionInfo } from '#shared/server/options/version-info.ts';
import { ExtensionsOpenApi } from './extensions-openapi.ts';

/** The OpenAPI documents of the server, configured by its flags. */
export function extensionsDocuments(
  rest: RestResources,
  definitions: () => Iterable<DefinitionView>,
  options: ServerOptions,
  report: (message: string, error: unknown) => void,
): ExtensionsOpenApi {
  const [own] = rest.facts
    .groups()
    .filter(({ name }) => name === extensionsGroup)
    .flatMap(({ versions }) => versions)
    .map(({ group, version, resources }) => ({
      group,
      version,
      resources: resources.filter(({ resource }) => rest.serves(group, version, resource)),
    }));
  if (own === undefined) throw new Error(`the facts do not know ${extensionsGroup}`);
  return new ExtensionsOpenApi({
    facts: rest.facts,
    own,
    definitions,
    build: versionInfo.gitVersion,
    apiVersion: effectiveVersion(options).emulation,
    cbor: servesCbor(options),
    report,
  });
}
