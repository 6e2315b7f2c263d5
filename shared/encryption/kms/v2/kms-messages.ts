import {
  bytes,
  enumeration,
  messageList,
  messageType,
  string,
  type MessageType,
} from '#shared/storage/etcd-wire/message-type.ts';

// The messages of v2.KeyManagementService (k8s.io/kms/apis/v2), and what is stored (apiserver's kmsv2/v2/api.proto).

/** An entry of a map; of entries with the same key the last one counts. */
export interface Annotation {
  readonly key: string;
  readonly value: Buffer;
}

export interface StatusAnswer {
  readonly version: string;
  /** `ok`, or what is wrong. */
  readonly healthz: string;
  readonly keyId: string;
}

export interface EncryptRequest {
  readonly plaintext: Buffer;
  /** Names the call in the logs of both sides. */
  readonly uid: string;
}

export interface EncryptAnswer {
  readonly ciphertext: Buffer;
  readonly keyId: string;
  readonly annotations: readonly Annotation[];
}

export interface DecryptRequest {
  readonly ciphertext: Buffer;
  readonly uid: string;
  readonly keyId: string;
  readonly annotations: readonly Annotation[];
}

export interface DecryptAnswer {
  readonly plaintext: Buffer;
}

/** How a value is encrypted by its data key: with it, or with a key derived from it as seed. */
export type DataKeyType = 'AES_GCM_KEY' | 'HKDF_SHA256_XNONCE_AES_GCM_SEED';

/** A stored value. */
export interface EncryptedObject {
  readonly encryptedData: Buffer;
  readonly keyId: string;
  /** The data key or seed, as the plugin encrypted it. */
  readonly encryptedDekSource: Buffer;
  readonly annotations: readonly Annotation[];
  readonly encryptedDekSourceType: DataKeyType;
}

const noBytes = Buffer.alloc(0);

const annotation: MessageType<Annotation> = messageType('AnnotationsEntry', () => ({ key: '', value: noBytes }), {
  key: [1, string],
  value: [2, bytes],
});
const annotations = messageList(() => annotation);
const statusRequest: MessageType<object> = messageType('StatusRequest', () => ({}), {});
const statusAnswer: MessageType<StatusAnswer> = messageType(
  'StatusResponse',
  () => ({ version: '', healthz: '', keyId: '' }),
  { version: [1, string], healthz: [2, string], keyId: [3, string] },
);
const encryptRequest: MessageType<EncryptRequest> = messageType(
  'EncryptRequest',
  () => ({ plaintext: noBytes, uid: '' }),
  { plaintext: [1, bytes], uid: [2, string] },
);
const encryptAnswer: MessageType<EncryptAnswer> = messageType(
  'EncryptResponse',
  () => ({ ciphertext: noBytes, keyId: '', annotations: [] }),
  { ciphertext: [1, bytes], keyId: [2, string], annotations: [3, annotations] },
);
const decryptRequest: MessageType<DecryptRequest> = messageType(
  'DecryptRequest',
  () => ({ ciphertext: noBytes, uid: '', keyId: '', annotations: [] }),
  { ciphertext: [1, bytes], uid: [2, string], keyId: [3, string], annotations: [4, annotations] },
);
const decryptAnswer: MessageType<DecryptAnswer> = messageType('DecryptResponse', () => ({ plaintext: noBytes }), {
  plaintext: [1, bytes],
});

const service = '/v2.KeyManagementService';

export const kmsMethods = {
  Status: { path: `${service}/Status`, request: statusRequest, answer: statusAnswer },
  Encrypt: { path: `${service}/Encrypt`, request: encryptRequest, answer: encryptAnswer },
  Decrypt: { path: `${service}/Decrypt`, request: decryptRequest, answer: decryptAnswer },
} as const;

export const encryptedObjectType: MessageType<EncryptedObject> = messageType(
  'EncryptedObject',
  () => ({
    encryptedData: noBytes,
    keyId: '',
    encryptedDekSource: noBytes,
    annotations: [],
    encryptedDekSourceType: 'AES_GCM_KEY',
  }),
  {
    encryptedData: [1, bytes],
    keyId: [2, string],
    encryptedDekSource: [3, bytes],
    annotations: [4, annotations],
    encryptedDekSourceType: [5, enumeration('AES_GCM_KEY', 'HKDF_SHA256_XNONCE_AES_GCM_SEED')],
  },
);
