import assert from 'node:assert/strict';
import type { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { allInSubject, lastInSubject, readCertificate } from './certificate.ts';
import { recordedChains } from './testing/recorded-chains.ts';

/** Attribute types 2.5.4.3 and 2.5.4.10 (RFC 5280 appendix A.1). */
const [commonName, organization] = ['550403', '55040a'];

const subjects = recordedChains.filter(({ name }) => name.startsWith('subject: '));

describe('subjects of certificates recorded from Go', () => {
  for (const { name, sent, user, refused } of subjects) {
    const isMalformed = refused?.startsWith('x509: invalid RDNSequence') === true;
    test(`${isMalformed ? 'cannot be read' : 'are read'}: ${name.slice('subject: '.length)}`, () => {
      const certificate = readCertificate(sent[0] as Buffer);
      assert.equal(certificate === undefined, isMalformed);
      if (certificate === undefined || user === undefined) return;
      assert.equal(lastInSubject(certificate, commonName), user.name);
      assert.deepEqual(allInSubject(certificate, organization), user.groups);
    });
  }
});
