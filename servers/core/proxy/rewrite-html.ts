import { Transform, type TransformCallback } from 'node:stream';
import { GoUrlError } from './go-url.ts';
import { hasUrl, keptAmpersand, readAttributeValue, writeValue } from './html-attributes.ts';
import { contentOf, declaration, type RawText } from './html-raw-text.ts';
import { readTag, type HtmlTag } from './html-tag.ts';
import { rewriteLink, type ProxiedUrlMapping } from './links.ts';

/** After a tag longer than this, the rest of the page is passed on unchanged. */
const longestTag = 256 * 1024;
/**
 * An unfinished tag longer than this is scanned again only when it is twice as long, so that small chunks do not cost
 * more.
 */
const shortTag = 4 * 1024;

/**
 * Rewrites the links of an HTML page while it streams: start tags are written again with rewritten URLs in their
 * attributes, everything else is unchanged (apimachinery/pkg/util/proxy/transport.go, rewriteHTML).
 */
export class HtmlRewriter extends Transform {
  readonly #mapping: ProxiedUrlMapping;
  #rest = '';
  /** Length of the buffered text at which it is scanned again. */
  #enough = 0;
  /** The raw content that the scan is in, after whose end markup continues. */
  #raw: RawText | undefined;

  constructor(mapping: ProxiedUrlMapping) {
    super();
    this.#mapping = mapping;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    // One character for each byte, so that bytes that are not UTF-8 are kept.
    this.#rest += chunk.toString('latin1');
    if (this.#rest.length >= this.#enough) this.#rewrite(false);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#rewrite(true);
    done();
  }

  #rewrite(isLast: boolean): void {
    const text = this.#rest;
    const out: string[] = [];
    let at = 0;
    while (at < text.length) {
      const next =
        this.#raw === undefined ? this.#markup(text, at, isLast, out) : this.#pass(this.#raw, text, at, isLast, out);
      if (next === undefined) break;
      at = next;
    }
    this.#rest = text.slice(at);
    this.#enough = this.#rest.length < shortTag ? 0 : Math.min(2 * this.#rest.length, longestTag);
    if (out.length > 0) this.push(Buffer.from(out.join(''), 'latin1'));
  }

  #pass(raw: RawText, text: string, at: number, isLast: boolean, out: string[]): number | undefined {
    const { end, passed } = raw.find(text, at);
    if (end !== undefined) this.#raw = undefined;
    const stop = end ?? (isLast ? text.length : passed);
    out.push(text.slice(at, stop));
    return end === undefined && stop === at ? undefined : stop;
  }

  /** Passes on text and the piece of markup that follows it. Undefined if more input is needed. */
  #markup(text: string, at: number, isLast: boolean, out: string[]): number | undefined {
    const open = text.indexOf('<', at);
    if (open !== at) {
      const stop = open < 0 ? text.length : open;
      out.push(text.slice(at, stop));
      return stop;
    }
    if (text.length - at < 4 && !isLast) return undefined;
    const isEnd = text[at + 1] === '/';
    const start = at + (isEnd ? 2 : 1);
    if (isLetter(text.charCodeAt(start))) return this.#tag(text, at, start, isLast, out);
    const mark = text[at + 1];
    if (mark === '!' || mark === '?' || (isEnd && start < text.length)) {
      this.#raw = declaration(text.startsWith('!--', at + 1));
      // Only two characters are passed on here, because `<!-->` is a complete comment.
      out.push(text.slice(at, at + 2));
      return at + 2;
    }
    out.push('<');
    return at + 1;
  }

  #tag(text: string, at: number, start: number, isLast: boolean, out: string[]): number | undefined {
    const tag = readTag(text, start);
    // A tag that never ends is dropped, as in the reference.
    if (tag === undefined && isLast) return text.length;
    if (tag === undefined) {
      if (text.length - at < longestTag) return undefined;
      this.#raw = contentOf('plaintext');
      return at;
    }
    if (text[at + 1] === '/') out.push(text.slice(at, tag.end));
    else {
      out.push(this.#written(tag));
      this.#raw = contentOf(tag.name);
    }
    return tag.end;
  }

  #written({ name, attributes, closesItself }: HtmlTag): string {
    let text = `<${name}`;
    for (const [attribute, written] of attributes) {
      const value = readAttributeValue(written);
      text += ` ${attribute}="${writeValue(hasUrl(name, attribute) ? this.#rewritten(value) : value)}"`;
    }
    return `${text}${closesItself ? '/' : ''}>`;
  }

  #rewritten(value: string): string {
    if (value.includes(keptAmpersand)) return value;
    try {
      return rewriteLink(value, this.#mapping);
    } catch (error) {
      if (error instanceof GoUrlError) return value;
      throw error;
    }
  }
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}
