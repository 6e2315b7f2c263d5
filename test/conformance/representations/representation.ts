const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** A form that a list can be asked for in. */
export interface Representation {
  readonly name: string;
  readonly accept: string;
  readonly query?: string;
  /** Ages are in it: the answers of two servers are the same only within one second. */
  readonly ages?: boolean;
}

export const representations: readonly Representation[] = [
  { name: 'JSON', accept: 'application/json' },
  { name: 'JSON, indented', accept: 'application/json', query: 'pretty=true' },
  { name: 'YAML', accept: 'application/yaml' },
  { name: 'protobuf', accept: 'application/vnd.kubernetes.protobuf' },
  { name: 'metadata', accept: `application/json;${partial}` },
  { name: 'metadata, indented', accept: `application/json;${partial}`, query: 'pretty=1' },
  { name: 'metadata as YAML', accept: `application/yaml;${partial}` },
  { name: 'metadata in protobuf', accept: `application/vnd.kubernetes.protobuf;${partial}` },
  { name: 'Table', accept: table, ages: true },
  { name: 'Table, indented', accept: table, query: 'pretty=true', ages: true },
  { name: 'Table as YAML', accept: table.replace('json', 'yaml'), ages: true },
  { name: 'Table with objects', accept: table, query: 'includeObject=Object', ages: true },
  { name: 'Table of nothing but rows', accept: table, query: 'includeObject=None', ages: true },
];

/**
 * Of column definitions: the texts that upstream's printers say in words of their own are not ours to repeat
 * (pkg/printers/internalversion).
 */
const descriptions = [/"description": ?"(?:[^"\\]|\\.)*"/g, /^- description:[^]*?(?=\n {2}format:)/gm];

/** An answer as it is compared. */
export function comparable({ ages }: Representation, bytes: Buffer): Buffer {
  if (ages !== true) return bytes;
  let text = bytes.toString('latin1');
  for (const pattern of descriptions) text = text.replace(pattern, 'description');
  return Buffer.from(text, 'latin1');
}

/** Resources whose lists are no stored objects, and come in any order. */
export const leftOut: ReadonlySet<string> = new Set(['/api/v1/componentstatuses']);

/**
 * Where bytes may differ: objects are held as JSON here, which does not tell empty bytes from none; the reference's
 * protobuf does (the CABundle of staging/src/k8s.io/api/admissionregistration/v1/generated.proto).
 */
export function isExplained(path: string, { name }: Representation): boolean {
  return name === 'protobuf' && path.includes('/validatingwebhookconfigurations');
}
