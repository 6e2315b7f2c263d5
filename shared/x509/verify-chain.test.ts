import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCertificate, type Certificate } from './certificate.ts';
import { recordedChain, recordedChains, type RecordedChain } from './testing/recorded-chains.ts';
import { CertificatePool, ChainError, keyUsages, verifyChain } from './verify-chain.ts';

const recordedAtMs = Date.UTC(2026, 0, 1);

/** What is wrong with a chain: `malformed`, the beginning of Go's error, or `good`. */
async function faultOf({ sent, roots }: RecordedChain, nowMs = recordedAtMs): Promise<string> {
  const certificates = sent.map((der) => readCertificate(der));
  const [leaf, ...others] = certificates;
  if (leaf === undefined || certificates.includes(undefined)) return 'malformed';
  try {
    await verifyChain(leaf, {
      roots: new CertificatePool(roots.flatMap((der) => readCertificate(der) ?? [])),
      intermediates: new CertificatePool(others as Certificate[]),
      nowMs,
      usage: keyUsages.clientAuth,
    });
    return 'good';
  } catch (error) {
    if (error instanceof ChainError) return kindOf(error.message);
    throw error;
  }
}

/**
 * Go's errors, without the names, numbers and times at their ends. Where an issuer is at fault, this project calls the
 * authority unknown and names the fault behind, so that the fault comes first here.
 */
const kinds = [
  'certificate has expired or is not yet valid',
  'certificate is not authorized to sign other certificates',
  'certificate specifies an incompatible key usage',
  'too many intermediates for path length constraint',
  'unhandled critical extension',
  'no valid chains built',
  'a root or intermediate certificate is not authorized to sign for this name',
  'certificate signed by unknown authority',
];

function kindOf(message: string): string {
  return kinds.find((kind) => message.includes(kind)) ?? message;
}

function recordedFault({ refused }: RecordedChain): string {
  if (refused === undefined) return 'good';
  // The limit of signatures that Go checks; here the search ends without a word of its own.
  if (refused.includes('signature check attempts limit reached')) return 'certificate signed by unknown authority';
  return refused.startsWith('verifying certificate') ? kindOf(refused) : 'malformed';
}

// Subjects are those of distinguished-name.test.ts; what TLS refuses never comes here.
const chains = recordedChains.filter(
  ({ name, refused }) => !name.startsWith('subject: ') && refused?.startsWith('tls: ') !== true,
);

describe('verifyChain with chains recorded from Go', () => {
  for (const chain of chains) {
    const expected = recordedFault(chain);
    const outcome = expected === 'good' ? 'accepts' : expected === 'malformed' ? 'cannot read' : 'refuses';
    test(`${outcome} ${chain.name}${outcome === 'refuses' ? ` (${expected})` : ''}`, async () => {
      assert.equal(await faultOf(chain), expected);
    });
  }
});

describe('verifyChain at the ends of the validity', () => {
  const chain = recordedChain('a root and a leaf');
  const { notBeforeMs, notAfterMs } = readCertificate(chain.sent[0] as Buffer) as Certificate;
  const expired = 'certificate has expired or is not yet valid';

  for (const [name, nowMs, expected] of [
    ['accepts a chain at the second of notBefore', notBeforeMs, 'good'],
    ['refuses a chain a millisecond before notBefore', notBeforeMs - 1, expired],
    ['accepts a chain at the second of notAfter', notAfterMs, 'good'],
    ['refuses a chain a millisecond after notAfter', notAfterMs + 1, expired],
  ] as const) {
    test(name, async () => assert.equal(await faultOf(chain, nowMs), expected));
  }

  test('reads the validity that was recorded, to the second', () => {
    assert.equal(notBeforeMs, Date.UTC(2020, 0, 1));
    assert.equal(notAfterMs, Date.UTC(2120, 0, 1));
  });
});
