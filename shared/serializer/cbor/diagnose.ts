import { getKey } from '#shared/apimachinery/json/json.ts';
import { formatFloat } from '#shared/serializer/json/go-text.ts';
import { major } from './cbor-error.ts';
import { CborReader } from './reader.ts';

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

function quoted(text: string, quote: string): string {
  let out = quote;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const code = text.charCodeAt(at);
    if (char === quote) out += `\\${quote}`;
    else
      out +=
        getKey(escapes, char) ?? (code >= 0x20 && code <= 0x7e ? char : `\\u${code.toString(16).padStart(4, '0')}`);
  }
  return out + quote;
}

function bytesText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return bytes.length > 0 && Buffer.from(text).equals(bytes) ? quoted(text, "'") : `h'${bytes.toString('hex')}'`;
}

function otherText(value: null | boolean | number): string {
  if (typeof value !== 'number') return String(value);
  const text = formatFloat(value);
  if (text.includes('.')) return text;
  return text.includes('e') ? text.replace('e', '.0e') : `${text}.0`;
}

function item(reader: CborReader): string {
  switch (reader.type) {
    case major.positive:
    case major.negative:
      return String(reader.integer());
    case major.bytes:
      return bytesText(reader.byteString());
    case major.text:
      return quoted(reader.textString(), '"');
    case major.array: {
      const head = reader.isIndefinite ? '[_ ' : '[';
      const items: string[] = [];
      reader.each(() => void items.push(item(reader)));
      return `${head}${items.join(', ')}]`;
    }
    case major.map: {
      const head = reader.isIndefinite ? '{_ ' : '{';
      const pairs: string[] = [];
      reader.each(() => void pairs.push(`${item(reader)}: ${item(reader)}`));
      return `${head}${pairs.join(', ')}}`;
    }
    case major.tag: {
      reader.head();
      const tag = reader.argument;
      return `${tag}(${item(reader)})`;
    }
    default:
      return otherText(reader.other());
  }
}

/**
 * Well-formed CBOR in diagnostic notation (RFC 8949 §8), as error texts show it. Strings in chunks are shown joined.
 */
export function diagnose(bytes: Buffer): string {
  try {
    return item(new CborReader(bytes));
  } catch {
    return bytes.toString('hex');
  }
}
