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
