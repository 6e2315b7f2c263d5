import { LRUCache } from 'lru-cache';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import type { Authorizer, AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import { requireAllowed } from '#shared/authorization/forbidden.ts';
import { requestAttributes } from '#shared/authorization/request-attributes.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import { timed } from '#shared/request/timed.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { nodeOfUser, splitServiceAccount } from './impersonation/account-names.ts';
import { wantedUser } from './impersonation/impersonation-headers.ts';
import { countedChecks, countImpersonation } from './impersonation/impersonation-metrics.ts';
import { checkWantedUser } from './impersonation/user-checks.ts';

/** One way of impersonating; KEP-5284 puts four constrained ones before the older, unconstrained one. */
interface Mode {
  /** Part of the verbs `impersonate:<mode>` and `impersonate-on:<mode>:<verb>`; undefined for the older way. */
  readonly name: string | undefined;
  applies(wanted: UserInfo, requestor: UserInfo): boolean;
}

/** The user as whom a request may act, and the mode that allows it. */
interface Allowed {
  readonly user: UserInfo;
  readonly mode: Mode;
}

const nodeNameExtra = 'authentication.kubernetes.io/node-name';

const modes: readonly Mode[] = [
  {
    name: 'associated-node',
    applies: (wanted, requestor) => {
      const node = onlyNamed(wanted) ? nodeOfUser(wanted.name) : undefined;
      if (node === undefined || !splitServiceAccount(requestor.name)) return false;
      const bound = requestor.extra[nodeNameExtra] ?? [];
      return bound.length === 1 && bound[0] === node;
    },
  },
  { name: 'arbitrary-node', applies: (wanted) => onlyNamed(wanted) && nodeOfUser(wanted.name) !== undefined },
  { name: 'serviceaccount', applies: (wanted) => onlyNamed(wanted) && splitServiceAccount(wanted.name) !== undefined },
  {
    name: 'user-info',
    applies: (wanted) => nodeOfUser(wanted.name) === undefined && splitServiceAccount(wanted.name) === undefined,
  },
  { name: undefined, applies: () => true },
];

/**
 * The mode in which each user impersonated last, by name of the user: a user who stays with one mode needs the checks
 * of this mode only.
 */
type LastModes = LRUCache<string, Mode>;

const rememberedUsers = 10_000;

/** Impersonated users by what they consist of: authorizers keep their answers by the user object. */
type KnownUsers = LRUCache<string, UserInfo>;

const knownUsers = 1000;
/** Clients choose these users, which may be of any length: longer ones are not kept. */
const maxKnownCharacters = 2048;

/**
 * Lets a request act as another user if its own user may impersonate that user. The mode that the user used last is
 * tried first, then the other modes that apply; the client sees the error of the first mode tried. Without
 * `isConstrained` (the gate ConstrainedImpersonation) there is only the older mode.
 */
export function withImpersonation(authorizer: Authorizer, isConstrained: boolean): Filter {
  const known = isConstrained ? modes : modes.filter(({ name }) => name === undefined);
  const counted = isConstrained ? countedChecks(authorizer) : authorizer;
  const lastModes: LastModes = new LRUCache({ max: rememberedUsers });
  const users: KnownUsers = new LRUCache({ max: knownUsers });
  return (next) => {
    const impersonate = async (context: RequestContext, wanted: UserInfo): Promise<void> => {
      let found: Allowed;
      const startedMs = performance.now();
      try {
        const request = requestAttributes(context.user, context.info);
        found = await timed(context.audit, 'impersonation', findUser(counted, known, lastModes, wanted, request));
      } catch (error) {
        if (isConstrained) countImpersonation(undefined, startedMs);
        if (error instanceof StatusError) context.exchange.setHeader('x-content-type-options', 'nosniff');
        throw error;
      }
      if (isConstrained) countImpersonation(found.mode.name ?? '', startedMs);
      context.impersonator = context.user;
      context.user = knownUser(users, found.user);
      const { name } = found.mode;
      context.audit?.noteImpersonation(context.user, name === undefined ? undefined : `impersonate:${name}`);
      await next(context);
    };
    return (context) => {
      if (!mayImpersonate(context.exchange.rawHeaders)) return next(context);
      const wanted = readWanted(context);
      return wanted === undefined ? next(context) : impersonate(context, wanted);
    };
  };
}

/** The same object for the same user. */
function knownUser(users: KnownUsers, user: UserInfo): UserInfo {
  const key = joinedKey([
    user.name,
    user.uid,
    String(user.groups.length),
    ...user.groups,
    ...Object.entries(user.extra).flatMap(([name, values]) => [name, String(values.length), ...values]),
  ]);
  const known = users.get(key);
  if (known !== undefined) return known;
  if (key.length <= maxKnownCharacters) users.set(key, user);
  return user;
}

function readWanted(context: RequestContext): UserInfo | undefined {
  try {
    return wantedUser(context.exchange);
  } catch (error) {
    context.exchange.setHeader('x-content-type-options', 'nosniff');
    throw error;
  }
}

async function findUser(
  authorizer: Authorizer,
  known: readonly Mode[],
  lastModes: LastModes,
  wanted: UserInfo,
  attributes: AuthorizerAttributes,
): Promise<Allowed> {
  const { user: requestor } = attributes;
  const last = lastModes.get(requestor.name);
  let first: unknown;
  for (const mode of last === undefined ? known : [last, ...known.filter((other) => other !== last)]) {
    if (!mode.applies(wanted, requestor)) continue;
    try {
      const user = await inMode(authorizer, mode, wanted, attributes);
      lastModes.set(requestor.name, mode);
      return { user, mode };
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

async function inMode(
  authorizer: Authorizer,
  { name }: Mode,
  wanted: UserInfo,
  attributes: AuthorizerAttributes,
): Promise<UserInfo> {
  if (name === undefined)
    return await checkWantedUser(authorizer, { verb: 'impersonate', constrained: false }, attributes.user, wanted);
  const associated = name === 'associated-node';
  const requestor = associated
    ? {
        ...attributes.user,
        extra: { 'authentication.kubernetes.io/associated-node-keys': Object.keys(attributes.user.extra).sort() },
      }
    : attributes.user;
  await requireAllowed(authorizer, {
    ...attributes,
    user: requestor,
    verb: `impersonate-on:${name}:${attributes.verb}`,
  });
  return await checkWantedUser(
    authorizer,
    { verb: `impersonate:${name}`, constrained: true, ...(associated ? { nodeName: '*' } : {}) },
    requestor,
    wanted,
  );
}

function onlyNamed(user: UserInfo): boolean {
  return user.uid === '' && user.groups.length === 0 && Object.keys(user.extra).length === 0;
}

/** A quick check of the header names; true if there is no raw list to check. */
function mayImpersonate(rawHeaders: readonly string[] | undefined): boolean {
  if (rawHeaders === undefined) return true;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length > 12 && (name.charCodeAt(0) | 0x20) === 0x69 && name.slice(0, 12).toLowerCase() === 'impersonate-')
      return true;
  }
  return false;
}
