const token = /^[!#$%&'*+.^_`|~\w-]+/;
const parameter = /^\s*;\s*[!#$%&'*+.^_`|~\w-]+\s*=\s*(?:"(?:[^"\\\r\n]|\\.)*"|[!#$%&'*+.^_`|~\w-]+)/;

/** Why a Content-Type cannot be read, in the words of Go's `mime`; undefined for one that can. */
export function contentTypeError(text: string): string | undefined {
  const at = text.indexOf(';');
  const error = mediaTypeError((at < 0 ? text : text.slice(0, at)).trim());
  if (error !== undefined || at < 0) return error;
  let rest = text.slice(at);
  for (let found = parameter.exec(rest); found !== null; found = parameter.exec(rest))
    rest = rest.slice(found[0].length);
  return /^\s*;?\s*$/.test(rest) ? undefined : 'mime: invalid media parameter';
}

function mediaTypeError(text: string): string | undefined {
  const [type] = token.exec(text) ?? [];
  if (type === undefined) return 'mime: no media type';
  const rest = text.slice(type.length);
  if (rest === '') return undefined;
  if (!rest.startsWith('/')) return 'mime: expected slash after first token';
  const [subtype] = token.exec(rest.slice(1)) ?? [];
  if (subtype === undefined) return 'mime: expected token after slash';
  return subtype.length + 1 === rest.length ? undefined : 'mime: unexpected content after media subtype';
}
