import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { objectKey, type RelationPart } from './node-uses.ts';
import { volumeSecrets } from './volume-secrets.ts';

interface ClaimedVolume {
  /** Key of the volume object. */
  readonly object: string;
  readonly claim: string;
  readonly secrets: readonly string[];
}

/**
 * Volumes that are bound to a claim, and the secrets that are needed to mount them. Nodes whose pods use the claim may
 * read the volume and its secrets.
 */
export class ClaimedVolumes implements RelationPart {
  readonly #held = new Map<string, ClaimedVolume>();
  readonly #byObject = new Map<string, ClaimedVolume>();
  readonly #byClaim = new Map<string, Set<ClaimedVolume>>();

  /** The claim that a volume is bound to, if any. */
  claimOf(object: string): string | undefined {
    return this.#byObject.get(object)?.claim;
  }

  /** Whether any volume bound to the claim refers to the secret. */
  needs(claim: string, secret: string): boolean {
    for (const volume of this.#byClaim.get(claim) ?? []) if (volume.secrets.includes(secret)) return true;
    return false;
  }

  put(key: string, object: KubeObject): void {
    this.remove(key);
    const reference = objectAt(object, 'spec', 'claimRef');
    if (reference === undefined) return;
    const claim = objectKey('persistentvolumeclaims', stringAt(reference, 'namespace'), stringAt(reference, 'name'));
    const secrets = volumeSecrets(object).map(({ namespace, name }) => objectKey('secrets', namespace, name));
    const volume: ClaimedVolume = {
      object: objectKey('persistentvolumes', '', object.metadata.name ?? ''),
      claim,
      secrets,
    };
    this.#held.set(key, volume);
    this.#byObject.set(volume.object, volume);
    const others = this.#byClaim.get(claim);
    if (others === undefined) this.#byClaim.set(claim, new Set([volume]));
    else others.add(volume);
  }

  remove(key: string): void {
    const volume = this.#held.get(key);
    if (volume === undefined) return;
    this.#held.delete(key);
    this.#byObject.delete(volume.object);
    const others = this.#byClaim.get(volume.claim);
    others?.delete(volume);
    if (others?.size === 0) this.#byClaim.delete(volume.claim);
  }

  keys(): Iterable<string> {
    return this.#held.keys();
  }
}
