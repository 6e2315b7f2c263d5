import {
  bool,
  bytes,
  int64,
  messageField,
  messageList,
  messageType,
  string,
  type MessageType,
} from '#shared/storage/etcd-wire/message-type.ts';

// The messages of v1.ExternalJWTSigner (k8s.io/externaljwt/apis/v1), by the table codec of storage's messages.

export interface SignRequest {
  /** The payload of the token in base64url. */
  readonly claims: string;
}

export interface SignAnswer {
  /** The header of the token in base64url. */
  readonly header: string;
  readonly signature: string;
}

export interface SignerKey {
  readonly keyId: string;
  /** A SubjectPublicKeyInfo in DER. */
  readonly key: Buffer;
  readonly excludeFromOidcDiscovery: boolean;
}

interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

export interface KeysAnswer {
  readonly keys: readonly SignerKey[];
  readonly dataTimestamp: Timestamp | undefined;
  readonly refreshHintSeconds: number;
}

export interface MetadataAnswer {
  readonly maxTokenExpirationSeconds: number;
}

const noBytes = Buffer.alloc(0);

const signRequest: MessageType<SignRequest> = messageType('SignJWTRequest', () => ({ claims: '' }), {
  claims: [1, string],
});
const signAnswer: MessageType<SignAnswer> = messageType('SignJWTResponse', () => ({ header: '', signature: '' }), {
  header: [1, string],
  signature: [2, string],
});
const empty: MessageType<object> = messageType('Empty', () => ({}), {});
const key: MessageType<SignerKey> = messageType(
  'Key',
  () => ({ keyId: '', key: noBytes, excludeFromOidcDiscovery: false }),
  { keyId: [1, string], key: [2, bytes], excludeFromOidcDiscovery: [3, bool] },
);
const timestamp: MessageType<Timestamp> = messageType('Timestamp', () => ({ seconds: 0, nanos: 0 }), {
  seconds: [1, int64],
  nanos: [2, int64],
});
const keysAnswer: MessageType<KeysAnswer> = messageType(
  'FetchKeysResponse',
  () => ({ keys: [], dataTimestamp: undefined, refreshHintSeconds: 0 }),
  {
    keys: [1, messageList(() => key)],
    dataTimestamp: [2, messageField(() => timestamp)],
    refreshHintSeconds: [3, int64],
  },
);
const metadataAnswer: MessageType<MetadataAnswer> = messageType(
  'MetadataResponse',
  () => ({ maxTokenExpirationSeconds: 0 }),
  { maxTokenExpirationSeconds: [1, int64] },
);

const service = '/v1.ExternalJWTSigner';

export const signerMethods = {
  Sign: { path: `${service}/Sign`, request: signRequest, answer: signAnswer },
  FetchKeys: { path: `${service}/FetchKeys`, request: empty, answer: keysAnswer },
  Metadata: { path: `${service}/Metadata`, request: empty, answer: metadataAnswer },
} as const;
