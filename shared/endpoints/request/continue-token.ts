import { posix } from 'node:path';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { getKey, isObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { quoteJson } from '#shared/serializer/json/go-text.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';

const tokenVersion = 'meta.k8s.io/v1';

/** The position where a list continues; `revision` -1 stands for the newest state. */
export interface ContinueToken {
  readonly revision: number;
  /** The first key to return (inclusive), relative to the list's prefix. */
  readonly startKey: string;
}

function invalidToken(reason: string): Error {
  return newBadRequest(`invalid continue token: continue key is not valid: ${reason}`);
}

/** Throws 400 with the reference's reason (apiserver/pkg/storage/continue.go). */
export function decodeContinue(sent: string): ContinueToken {
  const text = sent.replace(/[\r\n]/g, '');
  const illegal = /[^A-Za-z0-9_-]/.exec(text);
  if (illegal !== null || text.length % 4 === 1) {
    throw invalidToken(`illegal base64 data at input byte ${illegal?.index ?? text.length - 1}`);
  }
  const token = readToken(Buffer.from(text, 'base64url'));
  if (token.version !== tokenVersion)
    throw invalidToken(`server does not recognize this encoded version ${token.version}`);
  if (token.revision === 0) throw invalidToken(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  if (token.start === '') throw invalidToken(`encoded start key empty (version ${tokenVersion})`);
  const key = token.start.startsWith('/') ? token.start : `/${token.start}`;
  // A key with `..` steps would leave the prefix and read other resources.
  if (posix.normalize(key).replace(/(.)\/$/, '$1') !== key) throw invalidToken(token.start);
  return { revision: token.revision, startKey: key.slice(1) };
}

function readToken(bytes: Buffer): { version: string; revision: number; start: string } {
  let value;
  try {
    value = atOnce(parseJson(bytes));
  } catch (error) {
    throw invalidToken(error instanceof Error ? error.message : String(error));
  }
  const object = isObject(value) ? value : {};
  const text = (key: string): string => {
    const value = getKey(object, key);
    return typeof value === 'string' ? value : '';
  };
  const revision = object['rv'];
  return { version: text('v'), revision: typeof revision === 'number' ? revision : 0, start: text('start') };
}

/**
 * The continue token for the keys after `lastKey`, which lies below `prefix`. The key in it starts with a slash, as in
 * tokens of upstream's watch cache.
 */
export function encodeContinue(lastKey: string, prefix: string, revision: number): string {
  return encodeStart(`/${lastKey.slice(prefix.length)}\0`, revision);
}

/**
 * A token whose list starts at `startKey`. Revision -1 stands for the newest state, for clients whose own revision is
 * compacted.
 */
export function encodeStart(startKey: string, revision: number): string {
  return Buffer.from(`{"v":"${tokenVersion}","rv":${revision},"start":${quoteJson(startKey)}}`).toString('base64url');
}
