import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { listUnder } from '#shared/apimachinery/json/json.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { extraKey, headerText, headerTexts } from '#shared/request/header-values.ts';
import type { UserInfo } from '#shared/request/user.ts';

const extraPrefix = 'impersonate-extra-';

/**
 * The user whom a request wants to impersonate, as the headers name it; undefined without impersonation.
 * @throws StatusError 400 when groups, uid or extra come without a user name
 */
export function wantedUser(exchange: Exchange): UserInfo | undefined {
  const { headers } = exchange;
  const name = headers['impersonate-user'] === undefined ? '' : headerText(exchange, 'impersonate-user');
  const uid = headers['impersonate-uid'] === undefined ? '' : headerText(exchange, 'impersonate-uid');
  const groups = headerTexts(exchange, 'impersonate-group');
  const extraNames = Object.keys(headers).filter((header) => header.startsWith(extraPrefix));
  if (name === '' && uid === '' && groups.length === 0 && extraNames.length === 0) return undefined;
  const extra: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const header of extraNames) {
    listUnder(extra, extraKey(header.slice(extraPrefix.length))).push(...headerTexts(exchange, header));
  }
  const user = { name, uid, groups, extra };
  if (name === '') throw newBadRequest(`requested ${goSyntax(user)} without impersonating a user name`);
  return user;
}

/** Go's `%#v` of user.DefaultInfo, which the message shows. */
function goSyntax(user: UserInfo): string {
  const strings = (values: readonly string[]): string => `[]string{${values.map(goQuote).join(', ')}}`;
  const groups = user.groups.length === 0 ? '[]string(nil)' : strings(user.groups);
  const entries = Object.entries(user.extra).sort(([a], [b]) => (a < b ? -1 : 1));
  const extra =
    entries.length === 0
      ? 'map[string][]string(nil)'
      : `map[string][]string{${entries.map(([key, values]) => `${goQuote(key)}:${strings(values)}`).join(', ')}}`;
  return `&user.DefaultInfo{Name:${goQuote(user.name)}, UID:${goQuote(user.uid)}, Groups:${groups}, Extra:${extra}}`;
}
