import { Buffer } from 'node:buffer';
import { compareUtf8, goJsonString } from '#shared/apimachinery/text/go-format.ts';
import { civilText } from '#shared/apimachinery/values/civil-seconds.ts';
import type { AuditedObject, AuditedStatus, AuditEvent } from '#shared/audit/contract/audit-event.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** `line`: an object of its own, with kind and version. `item`: as in the items of an EventList, without them. */
export type EventForm = 'line' | 'item';

/** The JSON of users by user object: authenticators hand out the same object for the same credential. */
const userTexts = new WeakMap<UserInfo, string>();

const lineStart = '{"kind":"Event","apiVersion":"audit.k8s.io/v1",';

/**
 * An event as `audit.k8s.io/v1` JSON, members in the order of the reference, without a line feed. Objects must be JSON
 * as the reference's encoder writes it (without blanks, HTML characters escaped): they are copied as they are.
 */
export function encodeEvent(event: AuditEvent, form: EventForm = 'line'): Buffer {
  const { requestObject, responseObject } = event;
  const head = headText(event, form);
  const tail = tailText(event);
  if (requestObject === undefined && responseObject === undefined) return Buffer.from(`${head}${tail}`);
  const parts: Uint8Array[] = [];
  let text = head;
  if (requestObject !== undefined) {
    parts.push(Buffer.from(`${text},"requestObject":`), requestObject);
    text = '';
  }
  if (responseObject !== undefined) {
    parts.push(Buffer.from(`${text},"responseObject":`), responseObject);
    text = '';
  }
  parts.push(Buffer.from(tail));
  return Buffer.concat(parts);
}

/** All members before the objects. */
function headText(event: AuditEvent, form: EventForm): string {
  const { level, auditId, stage, requestUri, verb, user, impersonatedUser, impersonationConstraint } = event;
  const { sourceIps, userAgent, object, responseStatus } = event;
  let text = form === 'line' ? lineStart : '{';
  text += `"level":"${level}","auditID":${goJsonString(auditId)},"stage":"${stage}"`;
  text += `,"requestURI":${goJsonString(requestUri)},"verb":${goJsonString(verb)},"user":${userText(user)}`;
  if (impersonatedUser !== undefined) text += `,"impersonatedUser":${userText(impersonatedUser)}`;
  if (impersonationConstraint !== undefined)
    text += `,"authenticationMetadata":{"impersonationConstraint":${goJsonString(impersonationConstraint)}}`;
  if (sourceIps.length > 0) text += `,"sourceIPs":${sourcesText(sourceIps)}`;
  if (userAgent !== '') text += `,"userAgent":${goJsonString(userAgent)}`;
  if (object !== undefined) text += `,"objectRef":${objectText(object)}`;
  if (responseStatus !== undefined) text += `,"responseStatus":${statusText(responseStatus)}`;
  return text;
}

/** All members behind the objects. */
function tailText({ receivedAtUs, stageAtUs, annotations }: AuditEvent): string {
  const received = timeText(receivedAtUs);
  const stage = stageAtUs === receivedAtUs ? received : timeText(stageAtUs);
  const times = `,"requestReceivedTimestamp":"${received}","stageTimestamp":"${stage}"`;
  return annotations.size === 0 ? `${times}}` : `${times},"annotations":${annotationsText(annotations)}}`;
}

let lastSources: readonly string[] = [];
let lastSourcesText = '[]';

/** The list is the same one for the requests of a connection. */
function sourcesText(sourceIps: readonly string[]): string {
  if (sourceIps !== lastSources) [lastSources, lastSourcesText] = [sourceIps, listText(sourceIps)];
  return lastSourcesText;
}

function userText(user: UserInfo): string {
  let text = userTexts.get(user);
  if (text !== undefined) return text;
  const { name, uid, groups, extra } = user;
  const members = [member('username', name), member('uid', uid)];
  if (groups.length > 0) members.push(`,"groups":${listText(groups)}`);
  const entries = Object.entries(extra).sort(([a], [b]) => compareUtf8(a, b));
  if (entries.length > 0) {
    const values = entries.map(([key, texts]) => `${goJsonString(key)}:${listText(texts)}`);
    members.push(`,"extra":{${values.join(',')}}`);
  }
  text = `{${members.join('').slice(1)}}`;
  userTexts.set(user, text);
  return text;
}

function objectText(object: AuditedObject): string {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = object;
  const text =
    member('resource', resource) +
    member('namespace', namespace) +
    member('name', name) +
    member('uid', uid) +
    member('apiGroup', apiGroup) +
    member('apiVersion', apiVersion) +
    member('resourceVersion', resourceVersion) +
    member('subresource', subresource);
  return `{${text.slice(1)}}`;
}

function statusText({ status, message, reason, details, code }: AuditedStatus): string {
  const texts = member('status', status) + member('message', message) + member('reason', reason);
  const rest = `${details === undefined ? '' : `,"details":${details}`}${code === 0 ? '' : `,"code":${code}`}`;
  return `{"metadata":{}${texts}${rest}}`;
}

/** `,"name":"value"`, or nothing for an empty value. */
function member(name: string, value: string | undefined): string {
  return value === undefined || value === '' ? '' : `,"${name}":${goJsonString(value)}`;
}

function listText(texts: readonly string[]): string {
  return `[${texts.map(goJsonString).join(',')}]`;
}

function annotationsText(annotations: ReadonlyMap<string, string>): string {
  const entries = [...annotations].sort(([a], [b]) => compareUtf8(a, b));
  let text = '';
  for (const [key, value] of entries) text += `,${goJsonString(key)}:${goJsonString(value)}`;
  return `{${text.slice(1)}}`;
}

let lastSecond = -1;
let lastSecondText = '';

/** A MicroTime in UTC. Most events are of the same second as the one before. */
function timeText(us: number): string {
  const second = Math.floor(us / 1e6);
  if (second !== lastSecond) {
    lastSecondText = civilText(second);
    lastSecond = second;
  }
  return `${lastSecondText}.${String(us - second * 1e6).padStart(6, '0')}Z`;
}
