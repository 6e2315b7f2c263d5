import { readFile } from 'node:fs/promises';

/** The types that Go's mime package knows by itself. Texts have their charset. */
const builtIn: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/msword': 'doc',
  'application/octet-stream': 'bin com exe',
  'application/pdf': 'pdf',
  'application/postscript': 'ai eps ps',
  'application/rdf+xml': 'rdf',
  'application/rtf': 'rtf',
  'application/vnd.android.package-archive': 'apk',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/wasm': 'wasm',
  'application/xhtml+xml': 'xht xhtml',
  'application/zip': 'zip',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'oga ogg opus',
  'audio/wav': 'wav',
  'audio/webm': 'webm',
  'image/apng': 'apng',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jfif jpeg jpg pjp pjpeg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tif tiff',
  'image/vnd.microsoft.icon': 'ico',
  'image/webp': 'webp',
  'image/x-xbitmap': 'xbm',
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'ehtml htm html shtml',
  'text/javascript': 'js mjs',
  'text/plain': 'text txt',
  'text/vtt': 'vtt',
  'text/xml': 'xbl xml xsl',
  'video/mp4': 'mp4',
  'video/ogg': 'ogv',
};

/** The machine's own types by extension: the first of these that exists, or else all of the older ones. */
const globFiles = ['/usr/local/share/mime/globs2', '/usr/share/mime/globs2'];
const typeFiles = [
  '/etc/mime.types',
  '/etc/apache2/mime.types',
  '/etc/apache/mime.types',
  '/etc/httpd/conf/mime.types',
];

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;

/** Media types by the extension of a file, as Go's mime package finds them. */
export class MediaTypes {
  readonly #exact = new Map<string, string>();
  readonly #lower = new Map<string, string>();

  /** Reads the machine's types. Files that cannot be read are passed over. */
  static async load(): Promise<MediaTypes> {
    const types = new MediaTypes();
    for (const file of globFiles) {
      const text = await textOf(file);
      if (text === undefined) continue;
      types.addGlobs(text);
      return types;
    }
    for (const file of typeFiles) types.addTypes((await textOf(file)) ?? '');
    return types;
  }

  constructor() {
    for (const [type, extensions] of Object.entries(builtIn))
      for (const extension of extensions.split(' ')) this.#add(`.${extension}`, type);
  }

  /** Adds the lines `weight:type:*.extension` of shared-mime-info; known extensions keep their type. */
  addGlobs(text: string): void {
    for (const line of text.split('\n')) {
      const [weight = '', type = '', glob = ''] = line.split(':');
      if (weight === '' || weight.startsWith('#') || !/^\*\.[^?*[]+$/.test(glob)) continue;
      const extension = glob.slice(1);
      if (!this.#exact.has(extension)) this.#add(extension, type);
    }
  }

  /** Adds the lines `type extension extension…` of a mime.types. */
  addTypes(text: string): void {
    for (const line of text.split('\n')) {
      const [type = '', ...extensions] = line.trim().split(/\s+/);
      if (type.startsWith('#')) continue;
      for (const extension of extensions) {
        if (extension.startsWith('#')) break;
        this.#add(`.${extension}`, type);
      }
    }
  }

  /** @param extension with its dot; found in any case, but first as it is */
  find(extension: string): string | undefined {
    return this.#exact.get(extension) ?? this.#lower.get(extension.toLowerCase());
  }

  #add(extension: string, type: string): void {
    if (!mediaType.test(type)) return;
    const whole = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
    this.#exact.set(extension, whole);
    this.#lower.set(extension.toLowerCase(), whole);
  }
}

function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
