import { Buffer } from 'node:buffer';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { escapeHeaderKey } from '#shared/request/header-values.ts';

/** How the server proves who it is, and as whom it acts. */
export interface KubeconfigUser {
  readonly certificate?: { readonly cert: Buffer; readonly key: Buffer };
  /** Of each request. */
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** `basic` are name and password. */
export function authorization(token: string, [name, password]: readonly [string, string]): Record<string, string> {
  if (token !== '') return { authorization: `Bearer ${token}` };
  if (name === '') return {};
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
}

/** The headers by which a user of a kubeconfig acts as another one. */
export function impersonation(user: JsonObject): Record<string, string | string[]> {
  const name = stringAt(user, 'as');
  if (name === '') return {};
  const uid = stringAt(user, 'as-uid');
  const groups = stringsAt(user, 'as-groups');
  const extra = Object.keys(objectAt(user, 'as-user-extra') ?? {});
  return {
    'impersonate-user': name,
    ...(uid !== '' && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': [...groups] }),
    ...Object.fromEntries(
      extra.map((key) => [`impersonate-extra-${escapeHeaderKey(key)}`, [...stringsAt(user, 'as-user-extra', key)]]),
    ),
  };
}
