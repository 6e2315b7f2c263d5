import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaBundle } from '#shared/authentication/client-certificates/ca-bundle.ts';
import { X509Authenticator } from '#shared/authentication/client-certificates/x509.ts';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';

/** What is said of a client by its certificates; as `test/recorders/certificates/main.go` writes it. */
export interface Verdict {
  readonly name: string;
  /** DER in base64, the client's own first. */
  readonly sent: readonly string[];
  readonly roots: readonly string[];
  /** PKCS #8 of the client, where it was asked for. */
  readonly key?: string;
  readonly user?: { readonly name: string; readonly uid: string; readonly groups: readonly string[] };
  readonly refused?: string;
}

export function pemOf(der: string, type = 'CERTIFICATE'): string {
  return `-----BEGIN ${type}-----\n${der.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END ${type}-----\n`;
}

/** Who the client is in this server's eyes, `nobody` without a name, `refused`. */
export async function judgedHere({ sent, roots }: Verdict): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'attack-certificates-'));
  try {
    const path = join(folder, 'ca.crt');
    writeFileSync(path, roots.map((der) => pemOf(der)).join(''));
    const certificates = sent.map((der) => Buffer.from(der, 'base64'));
    const answer = await new X509Authenticator(new CaBundle(path)).authenticate({
      peerCertificates: () => certificates,
    });
    return answer === undefined ? 'nobody' : shownUser(answer.user);
  } catch (error) {
    if (error instanceof AuthenticationError) return 'refused';
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same of the reference. */
export function judgedThere({ user, refused }: Verdict): string {
  return refused !== undefined ? 'refused' : user === undefined ? 'nobody' : shownUser(user);
}

/** A user as text, to be compared. */
export function shownUser({
  name,
  uid,
  groups,
}: {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
}): string {
  return JSON.stringify({ name, uid, groups });
}
