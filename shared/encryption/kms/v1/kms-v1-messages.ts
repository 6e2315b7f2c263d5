import { bytes, messageType, string, type MessageType } from '#shared/storage/etcd-wire/message-type.ts';

// The messages of v1beta1.KeyManagementService (k8s.io/kms/apis/v1beta1).

interface VersionMessage {
  readonly version: string;
}

interface PlainMessage extends VersionMessage {
  readonly plain: Buffer;
}

interface CipherMessage extends VersionMessage {
  readonly cipher: Buffer;
}

const noBytes = Buffer.alloc(0);

const versionRequest: MessageType<VersionMessage> = messageType('VersionRequest', () => ({ version: '' }), {
  version: [1, string],
});
const versionAnswer: MessageType<VersionMessage> = messageType('VersionResponse', () => ({ version: '' }), {
  version: [1, string],
});
const encryptRequest: MessageType<PlainMessage> = messageType(
  'EncryptRequest',
  () => ({ version: '', plain: noBytes }),
  { version: [1, string], plain: [2, bytes] },
);
const encryptAnswer: MessageType<Pick<CipherMessage, 'cipher'>> = messageType(
  'EncryptResponse',
  () => ({ cipher: noBytes }),
  { cipher: [1, bytes] },
);
const decryptRequest: MessageType<CipherMessage> = messageType(
  'DecryptRequest',
  () => ({ version: '', cipher: noBytes }),
  { version: [1, string], cipher: [2, bytes] },
);
const decryptAnswer: MessageType<Pick<PlainMessage, 'plain'>> = messageType(
  'DecryptResponse',
  () => ({ plain: noBytes }),
  { plain: [1, bytes] },
);

const service = '/v1beta1.KeyManagementService';

export const kmsV1Methods = {
  Version: { path: `${service}/Version`, request: versionRequest, answer: versionAnswer },
  Encrypt: { path: `${service}/Encrypt`, request: encryptRequest, answer: encryptAnswer },
  Decrypt: { path: `${service}/Decrypt`, request: decryptRequest, answer: decryptAnswer },
} as const;
