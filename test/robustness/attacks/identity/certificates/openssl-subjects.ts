import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import type { Verdict } from './verdicts.ts';

const types = ['CN', 'CN', 'O', 'O', 'O', 'OU', 'L', 'serialNumber', 'UID', 'emailAddress', 'DC'];
const texts = [
  'alice',
  'system:masters',
  'a,b',
  'a+b',
  'a=b',
  'CN=root',
  'O=system:masters',
  'a/b',
  'a\\b',
  '"a"',
  '#00',
  ' a ',
  'a\nb',
  'zoë',
  'группа',
  '🦀',
  '<&>',
  'a;b',
  'system:node:n1',
  '12 3',
  'a@b',
  '*',
  "o'neil",
];
/**
 * Which types of strings OpenSSL chooses from: its default, UTF-8 alone, no BMP, and one type alone (T.61, BMP,
 * universal, printable).
 */
const masks = [
  'default',
  'utf8only',
  'nombstr',
  'pkix',
  'MASK:0x4',
  'MASK:0x800',
  'MASK:0x100',
  'MASK:0x2',
  'MASK:0x2004',
];

/**
 * Certificates whose subjects OpenSSL wrote, for the judges; `folder`: for what it reads and writes. Those that it
 * refuses to write are fewer.
 */
export function opensslSubjects(folder: string, random: SeededRandom, count: number): Verdict[] {
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '3650',
    '-subj',
    '/CN=openssl root',
    '-keyout',
    at('root.key'),
    '-out',
    at('root.crt'),
  );
  openssl('ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', at('leaf.key'));
  const root = der(at('root.crt'));
  const found: Verdict[] = [];
  for (let index = 0; found.length < count; index++) {
    if (index > count * 3) throw new Error('OpenSSL refuses most subjects');
    writeFileSync(
      at('config'),
      `[req]\ndistinguished_name=dn\nstring_mask=${random.pick(masks)}\n[dn]\n[ext]\nextendedKeyUsage=clientAuth\n`,
    );
    const subject = subjectText(random);
    try {
      openssl(
        'req',
        '-x509',
        '-utf8',
        '-multivalue-rdn',
        '-config',
        at('config'),
        '-extensions',
        'ext',
        '-key',
        at('leaf.key'),
        '-CA',
        at('root.crt'),
        '-CAkey',
        at('root.key'),
        '-days',
        '3650',
        '-subj',
        subject,
        '-out',
        at('leaf.crt'),
      );
    } catch {
      // A text that no string of its mask can hold.
      continue;
    }
    found.push({ name: `openssl ${JSON.stringify(subject)}`, sent: [der(at('leaf.crt'))], roots: [root] });
  }
  return found;
}

function subjectText(random: SeededRandom): string {
  const rdns = Array.from({ length: random.between(1, 5) }, () => {
    const attributes = Array.from(
      { length: random.chance(0.25) ? 2 : 1 },
      () => `${random.pick(types)}=${escaped(random.pick(texts))}`,
    );
    return `/${attributes.join('+')}`;
  });
  return rdns.join('');
}

function escaped(text: string): string {
  return text.replace(/[\\/+]/g, '\\$&');
}

function der(path: string): string {
  return readFileSync(path, 'utf8').replace(/-----[^-]+-----|\s/g, '');
}
