import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface TestCa extends TestCertificate {
  /**
   * `subject` such as `CN=admin, O=system:masters`. Valid for client and server use unless `usages` restricts it. With an
   * empty `dnsName` it has no names but that of the subject.
   */
  issue(
    subject: string,
    usages?: 'client' | 'server' | 'both',
    notAfter?: Date,
    dnsName?: string,
  ): Promise<TestCertificate>;
}

/** A throw-away certificate authority for tests. @param hash of its signatures */
export async function createTestCa(name = 'CN=test-ca', hash: 'SHA-256' | 'SHA-1' = 'SHA-256'): Promise<TestCa> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash } as const;
  x509.cryptoProvider.set(webcrypto as never);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys: keys as never,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 86_400_000),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    cert: ca.toString('pem'),
    key: await exportKey(keys.privateKey),
    async issue(subject, usages = 'both', notAfter = new Date(Date.now() + 86_400_000), dnsName = 'localhost') {
      const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const oids = [
        ...(usages === 'server' ? [] : ['1.3.6.1.5.5.7.3.2']),
        ...(usages === 'client' ? [] : ['1.3.6.1.5.5.7.3.1']),
      ];
      const cert = await x509.X509CertificateGenerator.create({
        subject,
        issuer: ca.subject,
        signingKey: keys.privateKey,
        publicKey: pair.publicKey,
        signingAlgorithm: algorithm,
        notBefore: new Date(Date.now() - 7_200_000),
        notAfter,
        extensions: [new x509.ExtendedKeyUsageExtension(oids), ...(dnsName === '' ? [] : [alternativeNames(dnsName)])],
      });
      return { cert: cert.toString('pem'), key: await exportKey(pair.privateKey) };
    },
  };
}

function alternativeNames(dnsName: string): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension([
    { type: 'dns', value: dnsName },
    { type: 'ip', value: '127.0.0.1' },
  ]);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END PRIVATE KEY-----\n`;
}
