import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** An event as one line of text, without a line feed: `--audit-log-format=legacy` (apiserver/pkg/audit/format.go). */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, object, responseStatus } = event;
  const fields: readonly (readonly [string, string])[] = [
    ['id', event.auditId],
    ['stage', event.stage],
    ['ip', event.sourceIps[0] ?? '<unknown>'],
    ['method', event.verb],
    ['user', user.name || '<none>'],
    ['groups', user.name === '' ? '<none>' : groupsOf(user, '<none>')],
    ['as', impersonatedUser === undefined ? '<self>' : impersonatedUser.name],
    ['asgroups', impersonatedUser === undefined ? '<lookup>' : groupsOf(impersonatedUser, '<lookup>')],
    ['user-agent', event.userAgent],
    ['namespace', object?.namespace || '<none>'],
    ['uri', event.requestUri],
    ['response', responseStatus === undefined ? '<deferred>' : String(responseStatus.code)],
  ];
  const text = fields.map(([name, value]) => `${name}=${goQuote(value)}`).join(' ');
  return `${localTime(event.receivedAtUs)} AUDIT: ${text}`;
}

function groupsOf({ groups }: UserInfo, none: string): string {
  return groups.length === 0 ? none : groups.map((group) => goQuote(group)).join();
}

/** RFC 3339 in the time zone of the process, without zeros at the end of the fraction. */
function localTime(us: number): string {
  const ms = Math.floor(us / 1000);
  const east = -new Date(ms).getTimezoneOffset();
  const local = new Date(ms + east * 60_000).toISOString().slice(0, 19);
  const fraction = String(us % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${local}${fraction === '' ? '' : `.${fraction}`}${offsetText(east)}`;
}

function offsetText(east: number): string {
  if (east === 0) return 'Z';
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.abs(east);
  return `${east < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
