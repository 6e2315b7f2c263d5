import { invalid, tooLong, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { readCertificate } from '#shared/x509/certificate.ts';
import { pemBlocks, type PemBlock } from '#shared/x509/pem.ts';

const maxBytes = 1024 * 1024;
const omitted = '<value omitted>';

/**
 * Validates a PEM text of CA certificates: at least one, and no duplicates (pkg/apis/certificates/validation
 * validateTrustBundle).
 */
export function validateTrustAnchors(text: string, field: Path): FieldError[] {
  if (Buffer.byteLength(text) > maxBytes) return [tooLong(field, '', maxBytes)];
  const blocks = [...pemBlocks(text)];
  const faults = blocks.flatMap((block, index) => faultsOf(block).map((fault) => `entry ${index} ${fault}`));
  const details =
    faults.length > 0
      ? faults
      : blocks.length === 0
        ? ['at least one trust anchor must be provided']
        : repeated(blocks);
  return details.map((detail) => invalid(field, omitted, detail));
}

function faultsOf({ type, hasHeaders, bytes }: PemBlock): string[] {
  if (type !== 'CERTIFICATE') return [`has bad block type: ${type}`];
  if (hasHeaders) return ['has PEM block headers'];
  const certificate = readCertificate(bytes);
  if (certificate === undefined) return ['does not parse as X.509'];
  return certificate.basicConstraints?.isAuthority === true ? [] : ['does not have the CA bit set'];
}

/** Describes the repeated certificates; the reference lists them in random order. */
function repeated(blocks: readonly PemBlock[]): string[] {
  const indexes = new Map<string, number[]>();
  for (const [index, { bytes }] of blocks.entries()) {
    const key = bytes.toString('latin1');
    indexes.set(key, [...(indexes.get(key) ?? []), index]);
  }
  return [...indexes.values()]
    .filter((indices) => indices.length > 1)
    .map((indices) => `duplicate trust anchor (indices [${indices.join(' ')}])`);
}
