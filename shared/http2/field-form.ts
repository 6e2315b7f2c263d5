const nameForm = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const notOfValues = /[^\t\x20-\x7e\x80-\xff]/;

/** Whether a header field may have this name: a token without capitals (RFC 9113 section 8.2.1). */
export function isFieldName(name: string): boolean {
  return nameForm.test(name);
}

/** Whether a field may have this value, one byte a character (x/net/http/httpguts, ValidHeaderFieldValue). */
export function isFieldValue(value: string): boolean {
  return !notOfValues.test(value);
}

/** A value as it is sent, one byte a character: what does not fit in one becomes UTF-8. Undefined if it is not valid. */
export function fieldText(value: string): string | undefined {
  if (isFieldValue(value)) return value;
  const text = Buffer.from(value).toString('latin1');
  return isFieldValue(text) ? text : undefined;
}
