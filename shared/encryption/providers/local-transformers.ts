import { openAesCbc, sealAesCbc } from '#shared/encryption/ciphers/aes-cbc.ts';
import { aesKey, openAesGcm, sealAesGcm } from '#shared/encryption/ciphers/aes-gcm.ts';
import { openSecretbox, sealSecretbox } from '#shared/encryption/ciphers/secretbox.ts';
import type { Revealed, ValueTransformer } from '#shared/encryption/contract/value-transformer.ts';

/** AES in CBC mode, which does not notice changed bytes. */
export function aesCbcTransformer(bytes: Uint8Array): ValueTransformer {
  const key = aesKey(bytes);
  return {
    fromStorage: (stored) => fresh(openAesCbc(key, stored)),
    toStorage: (plain) => sealAesCbc(key, plain),
  };
}

/** AES in Galois/counter mode with random nonces: a key is good for some 2^32 values. */
export function aesGcmTransformer(bytes: Uint8Array): ValueTransformer {
  const key = aesKey(bytes);
  return {
    fromStorage: (stored, at) => fresh(openAesGcm(key, stored, at)),
    toStorage: (plain, at) => sealAesGcm(key, plain, at),
  };
}

/** XSalsa20 and Poly1305, in slices for large values. */
export function secretboxTransformer(key: Uint8Array): ValueTransformer {
  return {
    fromStorage(stored) {
      const opened = openSecretbox(key, stored);
      return opened instanceof Promise ? opened.then(fresh) : fresh(opened);
    },
    toStorage: (plain) => sealSecretbox(key, plain),
  };
}

/** Every encrypted value begins so, which neither JSON nor protobuf does. */
const encryptedPrefix = Buffer.from('k8s:enc:');

/** Stores values as they are, and refuses those that another provider encrypted. */
export const identityTransformer: ValueTransformer = {
  fromStorage(stored) {
    if (encryptedPrefix.compare(stored, 0, encryptedPrefix.length) === 0)
      throw new Error('identity transformer tried to read encrypted data');
    return fresh(stored);
  },
  toStorage: (plain) => plain,
};

function fresh(value: Uint8Array): Revealed {
  return { value, isStale: false };
}
