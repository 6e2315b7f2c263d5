import type { DocumentSource } from '#shared/endpoints/openapi/openapi-handler.ts';
import { OpenApiHandler } from '#shared/endpoints/openapi/openapi-handler.ts';
import type { PathMux } from './path-mux.ts';

/** Serves `/openapi/v2`, `/openapi/v3` and the documents below it. */
export function installOpenApi(mux: PathMux, documents: DocumentSource): void {
  const openApi = new OpenApiHandler(documents);
  mux.handle('/openapi/v2', (context) => openApi.v2(context));
  mux.handle('/openapi/v3', (context) => openApi.index(context));
  mux.handlePrefix('/openapi/v3/', (context) => openApi.v3(context));
}
