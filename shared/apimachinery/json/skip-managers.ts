import { Buffer } from 'node:buffer';
import { skipValue, stringEnd } from './json-bytes.ts';
import { closeBrace, comma, openBrace, openBracket, quote } from './json-punctuation.ts';
import { RepeatedValues } from './repeated-values.ts';

const fieldsKey = Buffer.from('"fieldsV1"');
const versionDigit = 0x31;
const alike = new RepeatedValues();

/**
 * The position after `managedFields` (as this server prints them), whose list begins at `at`. They are most of an
 * object's metadata, and similar to those of other objects.
 */
export function skipManagers(json: Buffer, at: number): number {
  if (json[at] !== openBracket) return skipValue(json, at);
  let position = at + 1;
  for (let ordinal = 0; json[position] === openBrace; ordinal++) {
    position = skipManager(json, position + 1, ordinal);
    if (json[position] === comma) position++;
  }
  return position + 1;
}

function skipManager(json: Buffer, start: number, ordinal: number): number {
  let position = start;
  while (json[position] === quote) {
    const keyEnd = stringEnd(json, position);
    const isFields =
      keyEnd - position === fieldsKey.length &&
      json[keyEnd - 2] === versionDigit &&
      fieldsKey.compare(json, position, keyEnd) === 0;
    position = isFields ? alike.end(json, keyEnd + 1, ordinal) : skipValue(json, keyEnd + 1);
    if (json[position] === comma) position++;
  }
  return json[position] === closeBrace ? position + 1 : json.length;
}
