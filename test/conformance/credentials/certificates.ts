import 'reflect-metadata';
import { Extension, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension, type JsonName } from '@peculiar/x509';
import {
  authorityExtensions,
  clientAuth,
  clientExtensions,
  issue,
  type Algorithm,
  type IssueOptions,
  type Issued,
} from './certificate-maker.ts';
import type { Credential } from './credential.ts';
import { nameConstraints, subjectAltNames } from './name-constraints.ts';

/** The attribute whose value is the user's uid. */
const uid = '1.3.6.1.4.1.57683.2';
const authorityName: JsonName = [{ CN: ['authority of clients'] }];
const alice: JsonName = [{ O: ['dev'] }, { CN: ['alice'] }];

/** Client certificates, and the authorities that servers trust. */
export interface CertificateCases {
  readonly credentials: readonly Credential[];
  readonly authorities: string;
  /** For {@link Credential}s with a certificate and more. */
  readonly alice: { readonly cert: string; readonly key: string };
}

export async function certificateCases(): Promise<CertificateCases> {
  const root = await issue({ subject: authorityName, extensions: authorityExtensions() });
  const roots = new Map<Algorithm, Issued>();
  for (const algorithm of ['ES384', 'ES512', 'RS1', 'RS256', 'RS512', 'PS256', 'Ed25519'] as const) {
    const subject = [{ CN: [`authority by ${algorithm}`] }];
    roots.set(algorithm, await issue({ subject, algorithm, extensions: authorityExtensions() }));
  }
  const credentials = [
    ...(await subjects(root)),
    ...(await validities(root)),
    ...(await usages(root)),
    ...(await chains(root)),
    ...(await algorithms(root, roots)),
  ];
  const ours = await issue({ subject: alice, issuer: root });
  return {
    credentials: credentials.map((one) => ({ ...one, name: `certificate: ${one.name}` })),
    authorities: [root, ...roots.values()].map(({ pem }) => pem).join(''),
    alice: { cert: ours.pem, key: ours.key },
  };
}

async function leaf(name: string, options: IssueOptions, ...between: readonly Issued[]): Promise<Credential> {
  const { pem, key } = await issue(options);
  return { name, certificate: { cert: pem + between.map((one) => one.pem).join(''), key } };
}

function subjects(issuer: Issued): Promise<Credential[]> {
  const forms: Readonly<Record<string, JsonName>> = {
    'a name': [{ CN: ['alice'] }],
    'a name and a group': alice,
    'several groups': [{ O: ['dev'] }, { O: ['ops'] }, { CN: ['alice'] }, { O: ['last'] }],
    'several groups in one part': [{ O: ['dev', 'ops'] }, { CN: ['alice'] }],
    'a group twice': [{ O: ['dev'] }, { O: ['dev'] }, { CN: ['alice'] }],
    'several units': [{ OU: ['a'] }, { OU: ['b'] }, { CN: ['alice'] }],
    'several names': [{ CN: ['alice'] }, { CN: ['bob'] }],
    'several names in one part': [{ CN: ['alice', 'bob'] }],
    'name and group in one part': [{ CN: ['alice'], O: ['dev'] }],
    'an empty name': [{ O: ['dev'] }, { CN: [''] }],
    'no name': [{ O: ['dev'] }],
    'no subject': [],
    'only a unit': [{ OU: ['dev'] }],
    'an empty group': [{ O: [''] }, { CN: ['alice'] }],
    'a group of masters': [{ O: ['system:masters'] }, { CN: ['alice'] }],
    'the anonymous name': [{ CN: ['system:anonymous'] }],
    'the group of all': [{ O: ['system:authenticated'] }, { CN: ['alice'] }],
    'the group of nobody': [{ O: ['system:unauthenticated'] }, { CN: ['alice'] }],
    'a service account': [{ O: ['system:serviceaccounts'] }, { CN: ['system:serviceaccount:default:default'] }],
    'a node': [{ O: ['system:nodes'] }, { CN: ['system:node:one'] }],
    'letters beyond ASCII': [{ O: ['größe'] }, { CN: ['Zoë 愛'] }],
    spaces: [{ CN: [' alice '] }],
    'a line end': [{ CN: ['alice\nbob'] }],
    'a NUL': [{ CN: ['alice\0bob'] }],
    'commas and escapes': [{ O: ['a,b+c="d"\\'] }, { CN: ['x\\, y'] }],
    'a long name': [{ CN: ['x'.repeat(300)] }],
    'many groups': [...Array.from({ length: 200 }, (_one, index) => ({ O: [`group-${index}`] })), { CN: ['alice'] }],
    'a uid': [{ [uid]: ['1234'] }, { CN: ['alice'] }],
    'an empty uid': [{ [uid]: [''] }, { CN: ['alice'] }],
    'two uids': [{ [uid]: ['1'] }, { [uid]: ['2'] }, { CN: ['alice'] }],
    'the same uid twice': [{ [uid]: ['1'] }, { [uid]: ['1'] }, { CN: ['alice'] }],
    'two uids in one part': [{ [uid]: ['1', '2'] }, { CN: ['alice'] }],
    'a uid without a name': [{ [uid]: ['1'] }],
    'the uid of LDAP': [{ '0.9.2342.19200300.100.1.1': ['1'] }, { CN: ['alice'] }],
    'a serial number': [{ '2.5.4.5': ['42'] }, { CN: ['alice'] }],
    'country and place': [{ C: ['DE'] }, { L: ['Köln'] }, { ST: ['NRW'] }, { CN: ['alice'] }],
    'domain components': [{ DC: ['org'] }, { DC: ['example'] }, { CN: ['alice'] }],
    'an email address': [{ E: ['alice@example.org'] }, { CN: ['alice'] }],
    // In DER, by which other types of strings can be written.
    'a printable and an IA5 string': [{ O: ['#1303646576'] }, { CN: ['#1605616c696365'] }],
    'a BMP string': [{ CN: ['#1e0a0061006c006900630065'] }],
    'a universal string': [{ CN: ['#1c14000000610000006c000000690000006300000065'] }],
    'a number as a name': [{ CN: ['#020105'] }],
    'an attribute that nobody knows': [{ '1.2.3.4.5': ['x'] }, { CN: ['alice'] }],
  };
  return each(forms, (subject) => ({ subject, issuer }));
}

function validities(issuer: Issued): Promise<Credential[]> {
  const day = 86_400;
  const forms: Readonly<Record<string, Partial<IssueOptions>>> = {
    expired: { from: -2 * day, to: -day },
    'expired a minute ago': { to: -60 },
    'not yet valid': { from: day, to: 2 * day },
    'valid in a minute': { from: 60 },
    'since 1970': { from: -Math.floor(Date.now() / 1000) },
    'since 1951': { from: -Math.floor(Date.now() / 1000) - 19 * 365 * day },
    'until 2060': { to: 34 * 365 * day },
    'until 9999': { to: Math.floor((Date.UTC(9999, 11, 31, 23, 59, 59) - Date.now()) / 1000) },
    'ends before it begins': { from: 10, to: -10 },
  };
  return each(forms, (form) => ({ subject: alice, issuer, ...form }));
}

function usages(issuer: Issued): Promise<Credential[]> {
  const purpose = '1.3.6.1.5.5.7.3.';
  const purposes = (critical: boolean, ...ids: string[]): readonly Extension[] => [
    new ExtendedKeyUsageExtension(ids, critical),
  ];
  const keyUsage = (flags: KeyUsageFlags): readonly Extension[] => [
    ...clientExtensions,
    new KeyUsagesExtension(flags, true),
  ];
  const unknown = (critical: boolean): Extension => new Extension('1.2.3.4', critical, new Uint8Array([5, 0]));
  const forms: Readonly<Record<string, readonly Extension[]>> = {
    'no purpose': [],
    'of clients': purposes(false, clientAuth),
    'of clients, critical': purposes(true, clientAuth),
    'of servers': purposes(false, `${purpose}1`),
    'of both': purposes(false, `${purpose}1`, clientAuth),
    'of any purpose': purposes(false, '2.5.29.37.0'),
    'of any purpose and of servers': purposes(false, `${purpose}1`, '2.5.29.37.0'),
    'of email': purposes(false, `${purpose}4`),
    'of code': purposes(false, `${purpose}3`),
    'of a purpose that nobody knows': purposes(false, '1.2.3.4.5'),
    'of a purpose that nobody knows, and of clients': purposes(true, '1.2.3.4.5', clientAuth),
    'keys for signatures': keyUsage(KeyUsageFlags.digitalSignature),
    'keys for encryption': keyUsage(KeyUsageFlags.keyEncipherment),
    'keys for certificates': keyUsage(KeyUsageFlags.keyCertSign),
    'keys for agreement': keyUsage(KeyUsageFlags.keyAgreement),
    'an authority as a client': [...authorityExtensions(), ...clientExtensions],
    'an authority without a purpose': authorityExtensions(),
    'an unknown extension': [...clientExtensions, unknown(false)],
    'an unknown critical extension': [...clientExtensions, unknown(true)],
    'an extension twice': [...clientExtensions, ...purposes(false, `${purpose}1`)],
    'hosts and addresses': [...clientExtensions, subjectAltNames({ dns: ['alice.example'], ip: ['192.0.2.1'] })],
    'a host that is none': [...clientExtensions, subjectAltNames({ dns: ['*.*', '', 'a b'] })],
  };
  return each(forms, (extensions) => ({ subject: alice, issuer, extensions }));
}

async function chains(root: Issued): Promise<Credential[]> {
  const middle = (options: Partial<IssueOptions> = {}): Promise<Issued> =>
    issue({ subject: [{ CN: ['between'] }], issuer: root, extensions: authorityExtensions(), ...options });
  const [one, none, other] = [await middle(), await middle({ extensions: authorityExtensions(0) }), await middle()];
  const second = await middle({ subject: [{ CN: ['second'] }], issuer: one });
  const tooDeep = await middle({ subject: [{ CN: ['second'] }], issuer: none });
  const stranger = await issue({ subject: authorityName, extensions: authorityExtensions() });
  const forms: Readonly<Record<string, readonly [Issued | undefined, ...Issued[]]>> = {
    'an intermediate': [one, one],
    'an intermediate, which is not sent': [one],
    'two intermediates': [second, second, one],
    'two intermediates in the other order': [second, one, second],
    'two intermediates, one of them sent': [second, second],
    'the root sent along': [one, one, root],
    'an intermediate twice': [one, one, one],
    'another intermediate of the same name': [one, other],
    'both intermediates of a name': [one, other, one],
    'an intermediate of length 0': [none, none],
    'an intermediate below one of length 0': [tooDeep, tooDeep, none],
    'a stranger of the same name': [stranger],
    'a stranger, which is sent': [stranger, stranger],
    'signed by itself': [undefined],
  };
  const found = await each(
    forms,
    ([issuer]) => ({ subject: alice, issuer }),
    ([, ...sent]) => sent,
  );
  const odd: Readonly<Record<string, Partial<IssueOptions>>> = {
    'an intermediate that is no authority': { extensions: clientExtensions },
    'an intermediate without constraints': { extensions: [] },
    'an intermediate that may not sign': {
      extensions: [authorityExtensions()[0]!, new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)],
    },
    'an expired intermediate': { from: -7200, to: -3600 },
    'an intermediate of tomorrow': { from: 3600, to: 7200 },
    'an intermediate of servers': {
      extensions: [...authorityExtensions(), new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1'])],
    },
    'an intermediate of clients': { extensions: [...authorityExtensions(), ...clientExtensions] },
    'an intermediate with an unknown critical extension': {
      extensions: [...authorityExtensions(), new Extension('1.2.3.4', true, new Uint8Array([5, 0]))],
    },
    'an intermediate of a stranger': { issuer: stranger },
    'an intermediate by RSA': { algorithm: 'RS256' },
  };
  for (const [name, options] of Object.entries(odd)) {
    const issuer = await middle(options);
    found.push(await leaf(name, { subject: alice, issuer }, issuer));
  }
  for (const [name, { constraints, names }] of Object.entries(nameConstraints)) {
    const issuer = await middle({ extensions: [...authorityExtensions(), constraints] });
    const extensions = [...clientExtensions, subjectAltNames(names)];
    found.push(await leaf(name, { subject: alice, issuer, extensions }, issuer));
  }
  found.push({ name: 'the authority itself', certificate: { cert: root.pem, key: root.key } });
  found.push(await leaf('an issuer of another name', { subject: alice, issuer: root, issuerName: [{ CN: ['x'] }] }));
  return found;
}

async function algorithms(root: Issued, roots: ReadonlyMap<Algorithm, Issued>): Promise<Credential[]> {
  const found: Credential[] = [];
  for (const [algorithm, issuer] of roots) {
    found.push(await leaf(`signed by ${algorithm}`, { subject: alice, issuer }));
    found.push(await leaf(`a key for ${algorithm}`, { subject: alice, issuer: root, algorithm }));
    found.push(await leaf(`a key for ${algorithm}, signed by it`, { subject: alice, issuer, algorithm }));
  }
  for (const rsaBits of [1024, 1536, 3072, 4096])
    found.push(await leaf(`RSA of ${rsaBits} bits`, { subject: alice, issuer: root, algorithm: 'RS256', rsaBits }));
  for (const algorithm of ['RS384', 'PS512'] as const) {
    const issuer = await issue({
      subject: [{ CN: ['x'] }],
      issuer: root,
      algorithm,
      extensions: authorityExtensions(),
    });
    found.push(await leaf(`an intermediate that signs by ${algorithm}`, { subject: alice, issuer }, issuer));
  }
  return found;
}

async function each<T>(
  forms: Readonly<Record<string, T>>,
  optionsOf: (form: T) => IssueOptions,
  sentOf: (form: T) => readonly Issued[] = () => [],
): Promise<Credential[]> {
  const found: Credential[] = [];
  for (const [name, form] of Object.entries(forms)) found.push(await leaf(name, optionsOf(form), ...sentOf(form)));
  return found;
}
