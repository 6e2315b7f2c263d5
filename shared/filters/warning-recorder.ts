import type { Exchange } from '#shared/request/exchange.ts';

const totalRunes = 4 * 1024;
const itemRunes = 256;
/** UTF-16 units that are more than as many characters as are ever sent; longer texts are not looked at beyond. */
const enoughUnits = 2 * (totalRunes + 1);

/**
 * Collects Warning headers: each text once, 4096 characters in all; beyond that every text is cut to 256 characters
 * (apiserver/pkg/endpoints/filters/warning.go).
 */
export class WarningRecorder {
  readonly #exchange: Exchange;
  readonly #texts = new Set<string>();
  #written = 0;
  #truncating = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  add(text: string): void {
    // Before all else: strategies may have very many.
    if (this.#truncating && this.#written >= totalRunes) return;
    if (text === '' || this.#texts.has(text) || this.#exchange.responded) return;
    this.#texts.add(text);
    if (/\p{Cc}/u.test(text)) return;
    const runes = runesOf(text);
    if (!this.#truncating && this.#written + runes.length <= totalRunes) {
      this.#written += runes.length;
      this.#exchange.appendHeader('warning', warningHeader(text));
    } else if (this.#truncating) this.#addCut(runes);
    else this.#startOver();
  }

  #addCut(runes: readonly string[]): void {
    const cut = runes.slice(0, itemRunes);
    this.#written += cut.length;
    this.#exchange.appendHeader('warning', warningHeader(cut.join('')));
  }

  #startOver(): void {
    this.#truncating = true;
    this.#written = 0;
    this.#exchange.setHeader('warning', []);
    for (const text of this.#texts) if (!/\p{Cc}/u.test(text)) this.#addCut(runesOf(text));
  }
}

/** The characters of a text, or of the beginning of a very long one. */
function runesOf(text: string): string[] {
  return Array.from(text.slice(0, enoughUnits));
}

/** `299 - "text"`; header bytes are UTF-8, for which Node.js expects one character per byte. */
function warningHeader(text: string): string {
  const quoted = text.replace(/[\\"]/g, '\\$&');
  return `299 - "${Buffer.from(quoted, 'utf8').toString('latin1')}"`;
}
