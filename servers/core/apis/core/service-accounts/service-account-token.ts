import type { TokenIssuing } from '#servers/core/apis/contract/token-issuing.ts';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import {
  hasReason,
  newBadRequest,
  newConflict,
  newInternalError,
  newInvalid,
} from '#shared/apimachinery/errors/status.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, objectAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { ObjectReference } from '#shared/authentication/service-account/claims.ts';
import {
  warnOnlyExpirationSeconds,
  type TokenOrder,
} from '#shared/authentication/service-account/service-account-tokens.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const minSeconds = 600;
const maxSeconds = 2 ** 32;

/** Defaults of a TokenRequest (pkg/apis/authentication/v1/defaults.go). */
export function applyTokenDefaults(request: KubeObject): void {
  setDefault(ensureObject(request, 'spec'), 'expirationSeconds', 3600);
}

/**
 * Matches a TokenRequest with its service account, whose name and uid it gets (pkg/registry/core/serviceaccount/storage
 * TokenREST).
 */
export function prepareTokenRequest(core: CoreContext, issuing: TokenIssuing) {
  return async (name: string, request: KubeObject, context: OperationContext): Promise<void> => {
    matchName(request, 'name', name, name);
    matchName(request, 'namespace', context.namespace, name);
    const account = await read(core, 'serviceaccounts', context.namespace, name);
    const uid = account.metadata.uid ?? '';
    if (request.metadata.uid && request.metadata.uid !== uid) {
      const why = `the UID in the token request (${request.metadata.uid}) does not match the UID of the service account (${uid})`;
      if (issuing.validatesUid) throw newConflict({ group: kind.group, resource: kind.kind }, name, why);
      context.audit?.annotate('authentication.k8s.io/token-request-uid-mismatch', why);
      context.addWarning(
        `${why} but TokenRequestServiceAccountUIDValidation is not enabled. In the future, this will return a conflict error`,
      );
    }
    const spec = ensureObject(request, 'spec');
    if (stringsAt(spec, 'audiences').length === 0) spec['audiences'] = [...issuing.audiences];
    request.metadata = {
      ...request.metadata,
      name,
      namespace: context.namespace,
      uid: request.metadata.uid || uid,
      creationTimestamp: timeFromMs(context.nowMs),
    };
    delete request['status'];
    const errors = validateSeconds(int64At(spec, 'expirationSeconds') ?? 0);
    if (errors.length > 0) throw newInvalid(kind, '', errors);
  };
}

/** `serviceaccounts/token`: issues the token of a request that {@link prepareTokenRequest} has completed. */
export function requestToken(core: CoreContext, issuing: TokenIssuing) {
  return async (name: string, request: KubeObject, context: OperationContext): Promise<KubeObject> => {
    const spec = ensureObject(request, 'spec');
    const asked = Number(int64At(spec, 'expirationSeconds') ?? 0);
    // That of the request may be another one, where that is allowed.
    const uid = issuing.validatesUid
      ? request.metadata.uid
      : (await read(core, 'serviceaccounts', context.namespace, name)).metadata.uid;
    const bound = await boundObjects(core, name, request, context);
    const seconds = issuing.maxSeconds > 0 ? Math.min(asked, issuing.maxSeconds) : asked;
    if (seconds < asked) context.addWarning(`requested expiration of ${asked} seconds shortened to ${seconds} seconds`);
    spec['expirationSeconds'] = seconds;
    const audiences = stringsAt(spec, 'audiences');
    const extended =
      issuing.extendExpiration &&
      bound.pod !== undefined &&
      seconds === warnOnlyExpirationSeconds &&
      audiences.every((name) => issuing.audiences.includes(name));
    const order: TokenOrder = {
      namespace: context.namespace,
      serviceAccount: { name, uid: uid ?? '' },
      ...bound,
      audiences,
      expirationSeconds: extended ? issuing.extendedSeconds : seconds,
      ...(extended ? { warnAfterSeconds: seconds } : {}),
    };
    const { token, credentialId } = await issuing.tokens.issue(order, context.nowMs).catch((error: unknown) => {
      throw newInternalError(`failed to generate token: ${error instanceof Error ? error.message : String(error)}`);
    });
    context.audit?.annotate('authentication.kubernetes.io/issued-credential-id', credentialId);
    request['status'] = { token, expirationTimestamp: timeFromMs(context.nowMs + seconds * 1000) };
    return request;
  };
}

function matchName(request: KubeObject, field: 'name' | 'namespace', wanted: string, name: string): void {
  const given = request.metadata[field];
  if (!given || given === wanted) return;
  throw newInvalid(kind, name, [
    invalid(path('metadata', field), given, `must match the service account ${field} if specified`),
  ]);
}

function validateSeconds(seconds: Int64): FieldError[] {
  const field = path('spec', 'expirationSeconds');
  if (seconds < minSeconds) return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
  return seconds > maxSeconds ? [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')] : [];
}

async function boundObjects(
  core: CoreContext,
  account: string,
  request: KubeObject,
  context: OperationContext,
): Promise<Pick<TokenOrder, 'pod' | 'node' | 'secret'>> {
  const reference = objectAt(request, 'spec', 'boundObjectRef');
  if (!reference) return {};
  const resources: Readonly<Record<string, string>> = { Pod: 'pods', Node: 'nodes', Secret: 'secrets' };
  const refKind = stringAt(reference, 'kind');
  const version = stringAt(reference, 'apiVersion');
  const resource = version.includes('/') ? undefined : getKey(resources, refKind);
  if (resource === undefined)
    throw newBadRequest(
      `cannot bind token to object of type ${version.includes('/') ? version : `/${version}`}, Kind=${refKind}`,
    );
  const name = stringAt(reference, 'name');
  const object = await read(core, resource, resource === 'nodes' ? '' : context.namespace, name);
  const uid = object.metadata.uid ?? '';
  const wanted = stringAt(reference, 'uid');
  if (refKind === 'Pod' && stringAt(object, 'spec', 'serviceAccountName') !== account) {
    throw newBadRequest(
      `cannot bind token for serviceaccount ${goQuote(account)} to pod running with different serviceaccount name.`,
    );
  }
  if (wanted !== '' && wanted !== uid) {
    const why = `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw newConflict({ group: '', resource: refKind }, name, why);
  }
  if (refKind === 'Node') return { node: { name, uid } };
  if (refKind === 'Secret') return { secret: { name, uid } };
  const nodeName = stringAt(object, 'spec', 'nodeName');
  return { pod: { name, uid }, ...(nodeName === '' ? {} : { node: await nodeOf(core, nodeName) }) };
}

/** The pod's node for the claims of the token; without uid if the node no longer exists (KEP-4193). */
async function nodeOf(core: CoreContext, name: string): Promise<ObjectReference> {
  try {
    return { name, uid: (await read(core, 'nodes', '', name)).metadata.uid ?? '' };
  } catch (error) {
    if (hasReason(error, 'NotFound')) return { name, uid: '' };
    throw error;
  }
}

async function read(core: CoreContext, resource: string, namespace: string, name: string): Promise<KubeObject> {
  const store = core.store('', resource);
  return store.parse(await store.get(namespace, name));
}
