import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import { alikeMessageBytes } from './alike-messages.ts';
import { encodeProtobuf } from './encode.ts';
import { protobufLengthOfJson, protobufOfJson, protobufPiecesOfJson } from './from-json.ts';

const schema = podSchema();

function podSchema(): StructSchema {
  const found = loadFacts().schema('', 'v1', 'Pod');
  assert.ok(found !== undefined);
  return found;
}

/** A number below `below`, the same for the same `seed`. */
function pick(seed: number, below: number): number {
  let mixed = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
}

function container(seed: number): JsonObject {
  return {
    name: `c${pick(seed, 2)}`,
    image: `registry.example.com/team/app:${'1'.repeat(1 + pick(seed + 1, 3))}`,
    env: Array.from({ length: pick(seed + 2, 4) }, (_, at) => ({
      name: `E${at}`,
      value: ['a', 'text with "quotes" and \\ and ü', 'v'.repeat(300)][pick(seed + at, 3)] as string,
    })),
    livenessProbe: {
      httpGet: { path: '/', port: [80, 'http', 70_000][pick(seed + 3, 3)] as string },
      timeoutSeconds: pick(seed + 4, 2),
      initialDelaySeconds: 300,
      failureThreshold: 3,
      periodSeconds: 10,
    },
  };
}

function pod(seed: number): Buffer {
  const count = pick(seed, 7);
  const object = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      name: `pod-${pick(seed, 3)}`,
      creationTimestamp: null,
      labels: { app: 'a'.repeat(pick(seed + 5, 200)) },
    },
    spec: {
      containers: Array.from({ length: count }, (_, at) => container(pick(seed + at, 12))),
      nodeName: `node-${pick(seed + 6, 2)}`,
      securityContext: { runAsUser: pick(seed + 7, 2) * 2 ** 40 },
    },
    status: {
      conditions: ['Ready', 'Initialized'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: `2026-01-02T03:04:0${pick(seed + 8, 3)}Z`,
        message: 'm'.repeat(60 + pick(seed + 9, 3)),
      })),
    },
  };
  return encodeJson(schema, object);
}

function compare(json: Buffer): void {
  const expected = encodeProtobuf(schema, atOnce(parsePrinted(json.toString())) as JsonObject);
  assert.equal(protobufLengthOfJson(schema, json), expected.length);
  assert.deepEqual(protobufOfJson(schema, json), expected);
  assert.deepEqual(Buffer.concat(protobufPiecesOfJson(schema, json)), expected);
}

describe('protobufOfJson with remembered messages', () => {
  test('encodes objects that share parts with earlier ones as if each were the first', () => {
    for (let seed = 0; seed < 1500; seed++) compare(pod(seed));
    assert.ok(alikeMessageBytes() > 0);
  });

  test('tells apart an object that begins as an earlier one and goes on differently', () => {
    const text = pod(5).toString();
    compare(Buffer.from(text));
    compare(Buffer.from(text));
    compare(Buffer.from(text.replace('"runAsUser":0', '"runAsUser":0,"runAsNonRoot":true')));
    compare(Buffer.from(text.replace('"status":{', '"status":{"phase":"Running",')));
  });

  test('remembers at most a MiB, however many messages differ', () => {
    for (let seed = 0; seed < 600; seed++) {
      const text = 'x'.repeat(6000) + String(seed);
      const json = encodeJson(schema, {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { name: 'a' },
        spec: { containers: Array.from({ length: 4 }, (_, at) => ({ name: `${at}`, image: text })) },
      });
      protobufOfJson(schema, json);
      assert.ok(alikeMessageBytes() <= 1024 * 1024, String(alikeMessageBytes()));
    }
  });
});
