import { isObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import type { Answer } from './peer.ts';

/** Where two answers differ, a path with both values a line. */
export function differencesOfAnswers(want: Answer, have: Answer): string[] {
  return differencesOf({ status: want.status, body: want.body }, { status: have.status, body: have.body }, '');
}

function differencesOf(want: JsonValue | undefined, have: JsonValue | undefined, path: string): string[] {
  if (isObject(want) && isObject(have)) {
    return [...new Set([...Object.keys(want), ...Object.keys(have)])].flatMap((key) =>
      differencesOf(want[key], have[key], path === '' ? key : `${path}.${key}`),
    );
  }
  if (Array.isArray(want) && Array.isArray(have) && want.length === have.length)
    return want.flatMap((item, index) => differencesOf(item, have[index], `${path}[${index}]`));
  return JSON.stringify(want) === JSON.stringify(have) ? [] : [`${path}: want ${shown(want)} have ${shown(have)}`];
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 400);
}
