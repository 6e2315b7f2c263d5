import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { longestTurn } from '#shared/apimachinery/slices/testing/longest-turn.ts';
import { EncryptedStorage } from '#shared/encryption/storage/encrypted-storage.ts';
import { ValueCipher } from '#shared/encryption/storage/value-cipher.ts';
import type { Storage, StoredKeyValue } from '#shared/storage/storage.ts';
import { aesCbcTransformer, aesGcmTransformer, secretboxTransformer } from './local-transformers.ts';

const key = randomBytes(32);
const providers = [
  { name: 'aescbc', transformer: aesCbcTransformer(key) },
  { name: 'aesgcm', transformer: aesGcmTransformer(key) },
  { name: 'secretbox', transformer: secretboxTransformer(key) },
];
/** What a serving loop may do at once, in processor time. */
const maxTurnMs = 10;

describe('local transformers', () => {
  for (const { name, transformer } of providers) {
    test(`hold the event loop briefly for a value of 1.5 MB: ${name}`, async () => {
      const plain = randomBytes(1_500_000);
      const longest = { sealMs: Infinity, openMs: Infinity };
      // The shortest of some attempts: the first compiles, and any may hold a garbage collection.
      for (let attempt = 0; attempt < 4; attempt++) {
        const sealed = await longestTurn(async () => transformer.toStorage(plain, 'a'));
        const opened = await longestTurn(async () => transformer.fromStorage(sealed.value, 'a'));
        assert.ok(plain.equals(opened.value.value));
        longest.sealMs = Math.min(longest.sealMs, sealed.longestMs);
        longest.openMs = Math.min(longest.openMs, opened.longestMs);
      }
      assert.ok(longest.sealMs < maxTurnMs && longest.openMs < maxTurnMs, JSON.stringify(longest));
    });

    test(`let other work run while 10,000 values of a list are decrypted: ${name}`, async () => {
      const plain = randomBytes(700);
      const value = await transformer.toStorage(plain, '/a');
      const kv: StoredKeyValue = { key: '/a', value, createRevision: 1, modRevision: 1, lease: '' };
      const items = Array.from({ length: 10_000 }, () => kv);
      const list: Storage['list'] = async () => ({ items, revision: 1, count: items.length, more: false });
      const resourceOf = (): { group: string; resource: string } => ({ group: '', resource: 'secrets' });
      const cipher = new ValueCipher({ prefix: '', resourceOf, transformerOf: () => transformer });
      const storage = new EncryptedStorage({ list } as Storage, cipher);
      let turns = 0;
      const count = setInterval(() => turns++);
      const { value: listed, totalMs } = await longestTurn(() => storage.list('/'));
      clearInterval(count);
      // Not the longest turn, which may hold a garbage collection.
      assert.ok(turns > totalMs / maxTurnMs, `${turns} turns in ${totalMs} ms`);
      assert.ok(listed.items.every((item) => plain.equals(item.value)));
    });
  }
});
