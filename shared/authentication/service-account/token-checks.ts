import { timingSafeEqual } from 'node:crypto';
import { setKey } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { credentialIdKey } from '#shared/authentication/client-certificates/x509.ts';
import { AuthenticationError, type AuthenticationResult } from '#shared/authentication/contract/authenticator.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { BoundResource, ReadBoundObject } from './bound-objects.ts';
import {
  serviceAccountUsername,
  type BoundTokenClaims,
  type LegacyTokenClaims,
  type ObjectReference,
} from './claims.ts';
import type { LegacyTokenUses } from './legacy-token-uses.ts';
import type { TokenUse } from './token-use-metrics.ts';

/** Clock skew that is tolerated, for deletion times too. */
const leewayMs = 60_000;

/**
 * Checks a token that is bound to an object.
 * @throws AuthenticationError if the token is out of date or the object is gone
 */
export async function checkBoundToken(
  claims: BoundTokenClaims,
  read: ReadBoundObject,
  nowMs: number = Date.now(),
): Promise<AuthenticationResult> {
  checkTimes(claims, nowMs);
  const { namespace, serviceaccount, pod, node, secret } = claims['kubernetes.io'];
  const check = async (
    resource: BoundResource,
    reference: ObjectReference,
    messages: { gone: string; deleted: string; uid: readonly [string, string] },
  ): Promise<void> => {
    const object = await read(resource, resource === 'nodes' ? '' : namespace, reference.name);
    if (object === undefined) throw new AuthenticationError(messages.gone);
    const uid = object.metadata.uid ?? '';
    if (uid !== (reference.uid ?? ''))
      throw new AuthenticationError(
        `${messages.uid[0]} UID (${uid}) does not match ${messages.uid[1]} (${reference.uid ?? ''})`,
      );
    if (isDeleted(object, nowMs)) throw new AuthenticationError(messages.deleted);
  };
  await check('serviceaccounts', serviceaccount, {
    gone: accountFault(namespace, serviceaccount.name),
    deleted: `service account ${namespace}/${serviceaccount.name} has been deleted`,
    uid: ['service account', 'claim'],
  });
  const invalidated = (kind: string) => ({
    gone: 'service account token has been invalidated',
    deleted: 'service account token has been invalidated',
    uid: [kind, `service account ${kind} ref claim`] as const,
  });
  if (secret) await check('secrets', secret, invalidated('secret'));
  if (pod) await check('pods', pod, invalidated('pod'));
  // A pod's token is not bound to the node that it names; a token that is bound to a node is valid as long as the node
  // exists.
  else if (node) await check('nodes', node, invalidated('node'));
  return { user: serviceAccountUser(namespace, serviceaccount, { pod, node, jti: claims.jti }) };
}

/** How the secret and the service account of a legacy token are looked up, and its use is noted. */
export interface LegacyLookUp {
  readonly read: ReadBoundObject;
  readonly uses: LegacyTokenUses;
  readonly count: (use: TokenUse) => void;
}

const ofGenerated =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.';
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since';

/** @throws AuthenticationError; without `lookUp` no objects are looked up (`--service-account-lookup=false`) */
export async function checkLegacyToken(
  token: string,
  claims: LegacyTokenClaims,
  lookUp: LegacyLookUp | undefined,
): Promise<AuthenticationResult> {
  const namespace = claims['kubernetes.io/serviceaccount/namespace'] ?? '';
  const secretName = claims['kubernetes.io/serviceaccount/secret.name'] ?? '';
  const name = claims['kubernetes.io/serviceaccount/service-account.name'] ?? '';
  const uid = claims['kubernetes.io/serviceaccount/service-account.uid'] ?? '';
  for (const [claim, value] of Object.entries({
    sub: claims.sub ?? '',
    namespace,
    secretName,
    serviceAccountName: name,
    serviceAccountUID: uid,
  })) {
    if (value === '') throw new AuthenticationError(`${claim} claim is missing`);
  }
  if (claims.sub !== serviceAccountUsername(namespace, name)) throw new AuthenticationError('sub claim is invalid');
  const generated = lookUp !== undefined && (await isGenerated(token, { namespace, secretName, name, uid }, lookUp));
  const user = serviceAccountUser(namespace, { name, uid }, {});
  return generated ? { user, warnings: [ofGenerated] } : { user };
}

/** Checks that the objects of a token exist. True if the service account lists the secret, as one made for it. */
async function isGenerated(
  token: string,
  { namespace, secretName, name, uid }: Readonly<Record<'namespace' | 'secretName' | 'name' | 'uid', string>>,
  { read, uses, count }: LegacyLookUp,
): Promise<boolean> {
  const secret = await read('secrets', namespace, secretName);
  if (!secret || secret.metadata.deletionTimestamp) throw new AuthenticationError('Token has been invalidated');
  const data = secret['data'] as Readonly<Record<string, string>> | undefined;
  if (!equalText(Buffer.from(data?.['token'] ?? '', 'base64'), Buffer.from(token)))
    throw new AuthenticationError("Token does not match server's copy");
  const account = await read('serviceaccounts', namespace, name);
  if (!account) throw new AuthenticationError(`serviceaccounts "${name}" not found`);
  if (account.metadata.deletionTimestamp)
    throw new AuthenticationError(`ServiceAccount ${namespace}/${name} has been deleted`);
  if (account.metadata.uid !== uid)
    throw new AuthenticationError(`ServiceAccount UID (${account.metadata.uid ?? ''}) does not match claim (${uid})`);
  await uses.note(secret);
  if (secret.metadata.labels?.[invalidSinceLabel]) {
    count('invalid_legacy_auto_token_uses_total');
    throw new AuthenticationError(
      `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`,
    );
  }
  const isListed = objectsAt(account, 'secrets').some((reference) => stringAt(reference, 'name') === secretName);
  count(isListed ? 'legacy_auto_token_uses_total' : 'legacy_manual_token_uses_total');
  return isListed;
}

/** The error for a missing service account, in the words of the reference's client. */
function accountFault(namespace: string, name: string): string {
  if (name === '') return 'resource name may not be empty';
  if (namespace === '') return 'the server could not find the requested resource';
  return namespace.includes('/')
    ? `invalid namespace ${goQuote(namespace)}: [may not contain '/']`
    : `serviceaccounts ${goQuote(name)} not found`;
}

function checkTimes({ exp, nbf, iat }: BoundTokenClaims, nowMs: number): void {
  if (nbf !== undefined && nowMs + leewayMs < nbf * 1000)
    throw new AuthenticationError('service account token is not valid yet');
  if (exp !== undefined && nowMs - leewayMs > exp * 1000)
    throw new AuthenticationError('service account token has expired');
  if (iat !== undefined && nowMs + leewayMs < iat * 1000)
    throw new AuthenticationError('service account token is issued in the future');
}

function isDeleted(object: KubeObject, nowMs: number): boolean {
  const at = object.metadata.deletionTimestamp;
  return at !== undefined && Date.parse(at) < nowMs - leewayMs;
}

function serviceAccountUser(
  namespace: string,
  account: ObjectReference,
  from: { pod?: ObjectReference | undefined; node?: ObjectReference | undefined; jti?: string | undefined },
): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  const add = (key: string, value: string | undefined): void => {
    if (value) setKey(extra, `authentication.kubernetes.io/${key}`, [value]);
  };
  if (from.jti) extra[credentialIdKey] = [`JTI=${from.jti}`];
  add('node-name', from.node?.name);
  add('node-uid', from.node?.uid);
  add('pod-name', from.pod?.name);
  add('pod-uid', from.pod?.uid);
  return {
    name: serviceAccountUsername(namespace, account.name),
    uid: account.uid ?? '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra,
  };
}

function equalText(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
