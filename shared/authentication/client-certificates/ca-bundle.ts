import { readFileSync } from 'node:fs';
import { watchFiles } from '#shared/files/watch-files.ts';
import { parseCertificate } from '#shared/x509/certificate.ts';
import { DerError } from '#shared/x509/der.ts';
import { pemBlocks } from '#shared/x509/pem.ts';
import { CertificatePool } from '#shared/x509/verify-chain.ts';

interface BundleFile {
  readonly path: string;
  /** The text was given directly, not read from a file, and never changes. */
  readonly isGiven?: true;
  readonly text: string;
  readonly certificates: ReturnType<typeof certificatesIn>;
}

/** Certificate authorities that are given as text instead of as a file. */
export interface InlineBundle {
  /** For error messages. */
  readonly name: string;
  readonly text: string;
}

/** The certificate authorities of files, read again when they change. */
export class CaBundle {
  readonly #listeners: (() => void)[] = [];
  #files: readonly BundleFile[];
  #pool: CertificatePool;
  #unfollow: (() => void) | undefined;
  /** Increases with every change, so that verdicts under older authorities can be dropped. */
  generation = 1;

  /**
   * `more`: files whose CAs are trusted too, but are not in the list of acceptable CAs sent to clients.
   * @throws Error when a file cannot be read or holds no certificate
   */
  constructor(first: string | InlineBundle, ...more: readonly string[]) {
    this.#files = [first, ...more].map(readBundle);
    this.#pool = poolOf(this.#files);
  }

  /** The CAs that are published to clients and other servers. */
  get pem(): string {
    const text = this.#files[0]?.text ?? '';
    return text.endsWith('\n') ? text : `${text}\n`;
  }

  get pool(): CertificatePool {
    return this.#pool;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Reads the files again whenever they change, from now on. `onError` receives the error of a file that cannot be
   * used; its old content stays.
   */
  follow(onError: (error: unknown) => void): void {
    this.#unfollow ??= watchFiles(
      this.#files.flatMap(({ path, isGiven }) => (isGiven ? [] : [path])),
      () => this.refresh(onError),
    );
  }

  close(): void {
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  /** Reads the files now. A file that is being replaced, or has been removed, keeps its old authorities. */
  refresh(onError: (error: unknown) => void = () => undefined): void {
    const files = this.#files.map((file) => {
      if (file.isGiven) return file;
      try {
        const text = readFileSync(file.path, 'utf8');
        return text === file.text ? file : bundleOf(file.path, text);
      } catch (error) {
        onError(error);
        return file;
      }
    });
    if (files.every((file, index) => file === this.#files[index])) return;
    this.#files = files;
    this.#pool = poolOf(files);
    this.generation++;
    for (const listener of this.#listeners) listener();
  }
}

function poolOf(files: readonly BundleFile[]): CertificatePool {
  return new CertificatePool(files.flatMap(({ certificates }) => certificates));
}

function readBundle(source: string | InlineBundle): BundleFile {
  if (typeof source === 'string') return bundleOf(source, readFileSync(source, 'utf8'));
  return { ...bundleOf(source.name, source.text), isGiven: true };
}

function bundleOf(path: string, text: string): BundleFile {
  return { path, text, certificates: certificatesIn(path, text) };
}

/**
 * Reads certificates as client-go does (util/cert ParseCertsPEM): other PEM blocks, and blocks with headers, are left
 * out.
 */
function certificatesIn(path: string, text: string): ReturnType<typeof parseCertificate>[] {
  if (text === '') throw new Error(`missing content for CA bundle ${JSON.stringify(path)}`);
  const blocks = [...pemBlocks(text)].filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (blocks.length === 0)
    throw new Error(
      `error loading CA bundle for ${JSON.stringify(path)}: data does not contain any valid RSA or ECDSA certificates`,
    );
  return blocks.map(({ bytes }) => {
    try {
      return parseCertificate(bytes);
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
      throw new Error(`error loading CA bundle for ${JSON.stringify(path)}: ${error.message}`, { cause: error });
    }
  });
}
