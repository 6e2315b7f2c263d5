/**
 * A member of a JSON object: its name and the text of its value. Texts, so that duplicates and odd spellings can be
 * sent.
 */
export type Member = readonly [name: string, json: string];

/** An object that is hostile in one way. */
export interface HostileObject {
  readonly name: string;
  readonly server: 'core' | 'extensions';
  /** Path of the collection. */
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Members of `metadata` besides the name. */
  metadata(bytes: number): readonly Member[];
  /** Members of the object besides apiVersion, kind and metadata. */
  members(bytes: number): readonly Member[];
  /** Of a valid small object of the kind, which is patched where the hostile one is refused. */
  readonly small: readonly Member[];
  /** Name of the objects, where the kind asks for one. */
  readonly fixedName?: string;
  readonly query?: string;
}

/** The texts of items one after the other until there are so many bytes. */
export function fill(bytes: number, item: (index: number) => string): string {
  const parts: string[] = [];
  for (let size = 0, index = 0; size < bytes; index++) {
    const text = item(index);
    parts.push(text);
    size += text.length + 1;
  }
  return parts.join(',');
}

export function list(bytes: number, item: (index: number) => string): string {
  return `[${fill(bytes, item)}]`;
}

export function map(bytes: number, entry: (index: number) => string): string {
  return `{${fill(bytes, entry)}}`;
}

/** One value below another, to a depth. */
export function nested(open: string, inner: string, close: string, depth: number): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}

function objectText(
  object: HostileObject,
  name: string,
  metadata: readonly Member[],
  members: readonly Member[],
): string {
  const texts = (all: readonly Member[]): string =>
    all.map(([key, json]) => `,${JSON.stringify(key)}:${json}`).join('');
  return `{"apiVersion":"${object.apiVersion}","kind":"${object.kind}","metadata":{"name":"${name}"${texts(metadata)}}${texts(members)}}`;
}

export function hostileBody(object: HostileObject, name: string, bytes: number): string {
  return objectText(object, name, object.metadata(bytes), object.members(bytes));
}

export function smallBody(object: HostileObject, name: string): string {
  return objectText(object, name, [], object.small);
}

export interface HostilePatch {
  readonly name: 'json' | 'merge' | 'strategic' | 'apply';
  readonly contentType: string;
  readonly query: string;
  readonly body: string;
}

/** The same hostility in the four forms of a patch. */
export function hostilePatches(object: HostileObject, name: string, bytes: number): readonly HostilePatch[] {
  const [metadata, members] = [object.metadata(bytes), object.members(bytes)];
  const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
  const operation = (path: string, json: string): string =>
    `{"op":"add","path":${JSON.stringify(path)},"value":${json}}`;
  const operations = [
    ...metadata.map(([key, json]) => operation(`/metadata/${pointer(key)}`, json)),
    ...members.map(([key, json]) => operation(`/${pointer(key)}`, json)),
  ];
  const whole = objectText(object, name, metadata, members);
  return [
    { name: 'json', contentType: 'application/json-patch+json', query: '', body: `[${operations.join(',')}]` },
    { name: 'merge', contentType: 'application/merge-patch+json', query: '', body: whole },
    { name: 'strategic', contentType: 'application/strategic-merge-patch+json', query: '', body: whole },
    {
      name: 'apply',
      contentType: 'application/apply-patch+yaml',
      query: 'fieldManager=hostile&force=true',
      body: whole,
    },
  ];
}
