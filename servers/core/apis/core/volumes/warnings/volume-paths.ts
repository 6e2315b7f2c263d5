import { EarlierItems } from '#servers/core/warnings/earlier-items.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** A file in a volume; `source` describes where its content comes from. */
interface VolumeFile {
  /** The path of the file as if it were a folder, with one slash at the end. */
  readonly folder: string;
  readonly source: string;
}

/**
 * Warns about files of one volume that overlap: the same path twice, or a file where another file needs a folder
 * (pkg/api/pod/warnings.go warningsForOverlappingVirtualPaths).
 */
export function volumePathWarnings(volume: JsonObject): string[] {
  const [configMap, secret, downward, projected] = [
    objectAt(volume, 'configMap'),
    objectAt(volume, 'secret'),
    objectAt(volume, 'downwardAPI'),
    objectAt(volume, 'projected'),
  ];
  return [
    ...(configMap ? overlaps(volume, `ConfigMap ${goQuote(stringAt(configMap, 'name'))}`, filesOf(configMap, '')) : []),
    ...(secret ? overlaps(volume, `Secret ${goQuote(stringAt(secret, 'secretName'))}`, filesOf(secret, '')) : []),
    ...(downward ? overlaps(volume, 'DownwardAPI', filesOf(downward, '')) : []),
    ...(projected ? projectedWarnings(volume, objectsAt(projected, 'sources')) : []),
  ];
}

function projectedWarnings(volume: JsonObject, sources: readonly JsonObject[]): string[] {
  const files = overlapping(volume, 'Projected');
  return sources.flatMap((source) => {
    const isEmpty = Object.keys(source).length === 0;
    return isEmpty
      ? [`volume ${goQuote(stringAt(volume, 'name'))} (Projected) has no sources provided`]
      : filesOfProjection(source).flatMap((file) => files.add(file));
  });
}

function filesOfProjection(source: JsonObject): VolumeFile[] {
  const [configMap, secret, downward] = [
    objectAt(source, 'configMap'),
    objectAt(source, 'secret'),
    objectAt(source, 'downwardAPI'),
  ];
  if (configMap?.['items']) return filesOf(configMap, `ConfigMap ${goQuote(stringAt(configMap, 'name'))}`);
  if (secret?.['items']) return filesOf(secret, `Secret ${goQuote(stringAt(secret, 'name'))}`);
  if (downward?.['items']) return filesOf(downward, 'DownwardAPI');
  return filesOfCredentials(source);
}

/** How the warning names each file of a pod certificate. */
const certificateParts = { certificateChainPath: 'chain', keyPath: 'key', credentialBundlePath: 'credential bundle' };

function filesOfCredentials(source: JsonObject): VolumeFile[] {
  const [token, bundle, certificate] = [
    objectAt(source, 'serviceAccountToken'),
    objectAt(source, 'clusterTrustBundle'),
    objectAt(source, 'podCertificate'),
  ];
  if (token) return [fileAt(stringAt(token, 'path'), 'ServiceAccountToken')];
  if (bundle)
    return [
      fileAt(
        stringAt(bundle, 'path'),
        `ClusterTrustBundle ${goQuote(stringAt(bundle, bundle['name'] === undefined ? 'signerName' : 'name'))}`,
      ),
    ];
  return Object.entries(certificateParts)
    .filter(([key]) => stringAt(certificate, key) !== '')
    .map(([key, part]) => fileAt(stringAt(certificate, key), `PodCertificate ${part}`));
}

function filesOf(holder: JsonObject, source: string): VolumeFile[] {
  return objectsAt(holder, 'items').map((item) => fileAt(stringAt(item, 'path'), source));
}

function fileAt(path: string, source: string): VolumeFile {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return { folder: `${path.slice(0, end)}/`, source };
}

function overlaps(volume: JsonObject, kind: string, files: readonly VolumeFile[]): string[] {
  if (files.length < 2) return [];
  const earlier = overlapping(volume, kind);
  return files.flatMap((file) => earlier.add(file));
}

function overlapping(volume: JsonObject, kind: string): EarlierItems<VolumeFile> {
  return new EarlierItems((file, other) => {
    const overlap =
      file.folder !== '/' &&
      other.folder !== '/' &&
      (file.folder.startsWith(other.folder) || other.folder.startsWith(file.folder));
    return overlap
      ? `volume ${goQuote(stringAt(volume, 'name'))} (${kind}): overlapping paths: ${shown(file)} with ${shown(other)}`
      : undefined;
  });
}

function shown({ folder, source }: VolumeFile): string {
  const path = goQuote(folder.slice(0, -1));
  return source === '' ? path : `${path} (${source})`;
}
