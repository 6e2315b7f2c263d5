import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';

/** Maximum of characters without a complete size; more means that the input is invalid. */
const maxWaiting = 1024;

/**
 * Converts terminal sizes from the form in which clients send them, one JSON object each, to that which kubelets read.
 */
export class TerminalSizes {
  #waiting = '';
  #broken = false;

  /** Returns the sizes that the piece completes; undefined if there is none, and always after invalid input. */
  take(piece: Buffer): string | undefined {
    if (this.#broken) return undefined;
    this.#waiting += piece.toString('latin1');
    let lines = '';
    for (let end = this.#waiting.indexOf('}'); end >= 0 && !this.#broken; end = this.#waiting.indexOf('}')) {
      lines += this.#read(this.#waiting.slice(0, end + 1));
      this.#waiting = this.#waiting.slice(end + 1);
    }
    if (this.#waiting.length > maxWaiting) this.#broken = true;
    return lines === '' ? undefined : lines;
  }

  #read(text: string): string {
    const size = parse(text);
    if (size !== undefined) return `{"Width":${size.width},"Height":${size.height}}\n`;
    this.#broken = true;
    return '';
  }
}

function parse(text: string): { readonly width: number; readonly height: number } | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const size = { width: 0, height: 0 };
  // Go ignores the case of member names.
  for (const [name, number] of Object.entries(value)) {
    const key = name.toLowerCase();
    if (key !== 'width' && key !== 'height') continue;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > 0xffff) return undefined;
    size[key] = number;
  }
  return size;
}
