import { Buffer } from 'node:buffer';
import { cloneInSteps, shallowCopy } from '#shared/apimachinery/json/clone.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goJsonString } from '#shared/apimachinery/text/go-format.ts';
import { toServed, type RequestScope } from '#shared/endpoints/request/request-scope.ts';
import type { Pace } from '#shared/registry/pace.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { jsonTextInSteps } from '#shared/serializer/json/encode-in-steps.ts';
import { jsonText } from '#shared/serializer/json/encode.ts';
import { decodeUtf8, parseJsonText } from '#shared/serializer/json/parse.ts';
import { compactJson } from './compact-json.ts';

/**
 * Notes the decoded object of a request for its audit events: with defaults, in the version of the request, before
 * anything changes it (apiserver/pkg/audit/request.go, LogRequestObject).
 */
export function noteRequestObject(
  context: RequestContext,
  scope: RequestScope,
  object: KubeObject,
  pace: Pace,
): Promise<void> | undefined {
  const { audit } = context;
  if (audit === undefined) return undefined;
  const { metadata } = object;
  if (metadata !== undefined) {
    const { namespace, name, uid, resourceVersion } = metadata;
    audit.noteObject({ namespace, name, uid, resourceVersion });
  }
  if (!audit.keepsRequest) return undefined;
  return noteText(audit, pace.run(requestText(scope, object, audit.omitsManagers)));
}

async function noteText(audit: RequestAudit, text: string | Promise<string>): Promise<void> {
  audit.noteRequest(Buffer.from(await text));
}

function* requestText(scope: RequestScope, object: KubeObject, omitsManagers: boolean): Steps<string> {
  const isConverted = scope.rest.conversion !== undefined && scope.subresource?.view === undefined;
  const served = toServed(scope, isConverted ? yield* cloneInSteps(object) : (shallowCopy(object) as KubeObject));
  if (omitsManagers && served.metadata?.managedFields !== undefined) {
    const { managedFields: _, ...metadata } = served.metadata;
    served.metadata = metadata;
  }
  return yield* jsonTextInSteps(scope.schema, served);
}

/**
 * Notes the options of a deletion that has a body. The reference encodes its internal form, whatever the body names
 * (endpoints/handlers/delete.go).
 */
export function noteDeleteOptions({ audit }: RequestContext, scope: RequestScope, options: JsonObject): void {
  if (audit?.keepsRequest !== true) return;
  const schema = scope.env.facts.schema('meta.k8s.io', 'v1', 'DeleteOptions');
  if (schema !== undefined)
    audit.noteRequest(
      Buffer.from(jsonText(schema, { ...options, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' })),
    );
}

/**
 * Notes a patch as it was sent. The line of an event must stay JSON, so a patch of another form becomes a string; the
 * reference loses the event then (apiserver/plugin/pkg/audit/log/backend.go).
 */
export async function notePatch(audit: RequestAudit, body: Buffer, pace: Pace): Promise<void> {
  try {
    await pace.run(parseJsonText(decodeUtf8(body), body));
  } catch {
    audit.noteRequest(Buffer.from(goJsonString(body.toString())));
    return;
  }
  audit.noteRequest(compactJson(body));
}
