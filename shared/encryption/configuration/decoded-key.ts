/**
 * The bytes of a key in base64, as Go's StdEncoding reads it: padded, line feeds left aside. Undefined for others.
 */
export function decodedKey(secret: string): Buffer | undefined {
  const text = secret.replaceAll(/[\r\n]/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}
