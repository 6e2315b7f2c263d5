import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/**
 * The path of a plugin's socket from `unix:///path` (k8s.io/kms/pkg/util). `unix:///@name` is in the abstract name
 * space.
 * @throws Error for another scheme
 */
export function kmsSocketOf(endpoint: string): string {
  if (endpoint === '') throw new Error("remote KMS provider can't use empty string as endpoint");
  const url = new URL(endpoint);
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'unix') throw new Error(`unsupported scheme ${goQuote(scheme)} for remote KMS provider`);
  const path = decodeURIComponent(url.pathname);
  return path.startsWith('/@') ? path.slice(1) : path;
}
